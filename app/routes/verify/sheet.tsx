import type { ReactNode } from "react";
import { plainText } from "#lib/messages/isolates.ts";
import { Mark } from "../../components/frame/brand.tsx";
import { Languages, type Kept } from "./languages.tsx";
import { Said, useSite, useWords } from "./said.tsx";

type SheetProps = {
  title: string;
  hasErrors?: boolean;
  footer?: string | undefined;
  /** What a change of the language keeps of this page. */
  kept?: Kept | undefined;
  /** Whether the page is in English alone. */
  isEnglish?: true;
  children: ReactNode;
};

/** The frame of the public pages. Their style sheet is small, for phones on slow networks. */
export function Sheet({ title, hasErrors, footer, kept, isEnglish, children }: SheetProps) {
  const { t, date } = useWords();
  const site = useSite();
  const plain = plainText(hasErrors ? t("frame.error", { title }) : title);
  return (
    <div className="check">
      <title>{`${plain} – Sealdesk`}</title>
      <meta name="robots" content="noindex" />
      <a className="skip-link" href="#main">
        {t("frame.skip")}
      </a>
      <header>
        <p className="brand">
          <Mark />
          Sealdesk
        </p>
        <p className="muted">{t("frame.name")}</p>
        {!isEnglish && <Languages kept={kept} />}
      </header>
      {site && (
        <aside className="muted site">
          <Said text={t("site.confirmed", { ...site, date: date(site.since) })} />
        </aside>
      )}
      <main id="main">{children}</main>
      {footer && (
        <footer className="muted">
          <Said text={footer} />
        </footer>
      )}
    </div>
  );
}
