import type { ReactNode } from "react";
import { Mark } from "../../components/brand.tsx";

/** The sheet of the public pages; their style is their own, so that a phone on a bad network has them at once. */
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
