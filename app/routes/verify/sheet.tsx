import type { ReactNode } from "react";
import { Mark } from "../../components/brand.tsx";

/** The frame of the public pages. Their style sheet is small, for phones on slow networks. */
export const Sheet = ({ title, footer, children }: { title: string; footer?: ReactNode; children: ReactNode }) => (
  <div className="check">
    <title>{`${title} – Sealdesk`}</title>
    <meta name="robots" content="noindex" />
    <a className="skip-link" href="#main">
      Skip to the answer
    </a>
    <header>
      <p className="brand">
        <Mark />
        Sealdesk
      </p>
      <p className="muted">Document check</p>
    </header>
    <main id="main">{children}</main>
    {footer && <footer className="muted">{footer}</footer>}
  </div>
);
