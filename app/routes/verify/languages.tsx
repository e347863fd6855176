import { languageNames } from "#lib/messages/language-names.ts";
import { languages, tagOf } from "#lib/messages/languages.ts";
import { useWords } from "./said.tsx";

/** A page that goes on in another language: its query without the language, and of a scan what was reported and typed. */
export type Kept = { query: string; scan?: { scan: string; reported: string; typed: Record<string, string> } };

/**
 * The choice of a language, which is part of the address: nothing is stored, and caches know the pages apart. On a page
 * that recorded a scan it is a form, as opening the page again would be another scan.
 */
export function Languages({ kept }: { kept?: Kept | undefined }) {
  const { language, t } = useWords();
  const others = languages.filter((other) => other !== language);
  const address = (other: string) => `?${kept?.query ? `${kept.query}&` : ""}lang=${other}`;
  return (
    <details className="languages">
      <summary>
        <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <path d="M2 10h16M10 2c5 5 5 11 0 16M10 2c-5 5-5 11 0 16" />
        </svg>
        <span className="sr-only">{t("frame.language")} </span>
        {languageNames[language]}
      </summary>
      {kept?.scan ? (
        <form method="post">
          <input type="hidden" name="scan" value={kept.scan.scan} />
          <input type="hidden" name="reported" value={kept.scan.reported} />
          {Object.entries(kept.scan.typed).map(([name, text]) => (
            <input key={name} type="hidden" name={name} value={text} />
          ))}
          <input type="hidden" name="intent" value="language" />
          {others.map((other) => (
            <button key={other} type="submit" formAction={address(other)} lang={tagOf(other)}>
              {languageNames[other]}
            </button>
          ))}
        </form>
      ) : (
        <nav aria-label={t("frame.language")}>
          {others.map((other) => (
            <a key={other} href={address(other)} lang={tagOf(other)} hrefLang={tagOf(other)}>
              {languageNames[other]}
            </a>
          ))}
        </nav>
      )}
    </details>
  );
}
