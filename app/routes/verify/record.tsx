import { asTheirs } from "#lib/messages/isolates.ts";
import { isRealDate } from "#lib/dates.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { Said, useSite, useWords } from "./said.tsx";

/** What the register says of a document that was found; a credential’s holder leaves out what they like. */
export function RecordFacts({ document }: { document: Verification }) {
  const { t, date } = useWords();
  const { company, branch, expire_date, ended, copy, copies, copy_withdrawn, replaced_by } = document;
  return (
    <dl>
      <Fact name={t("fact.number")} value={asTheirs(document.number)} />
      {document.document_type && (
        <Fact
          name={t("fact.type")}
          value={theirs(document.document_type, document.document_subtype)}
          // The product's own types are English in every language.
          language={Object.hasOwn(documentTypes, document.document_type) ? "en" : undefined}
        />
      )}
      <Fact name={t("fact.issuer")} value={theirs(company, branch)} />
      <Fact name={t("fact.date")} value={date(document.date)} />
      {ended && <Fact name={t("fact.endedOn")} value={date(ended.since)} />}
      {document.withdrawal_text && <Fact name={t("fact.reason")} value={asTheirs(document.withdrawal_text)} />}
      {replaced_by && (
        <Fact
          name={t("fact.replacedBy")}
          value={t("fact.replacedBy.value", { number: replaced_by.number, date: date(replaced_by.date) })}
        />
      )}
      {!ended && <Fact name={t("fact.validUntil")} value={expire_date ? date(expire_date) : t("fact.noEnd")} />}
      {copies > 1 && <Fact name={t("fact.copy")} value={t("fact.copy.value", { copy, copies })} />}
      {copy_withdrawn && (
        <Fact
          name={t("fact.copyWithdrawn")}
          value={t("fact.copyWithdrawn.value", { why: copy_withdrawn.reason, date: date(copy_withdrawn.since) })}
        />
      )}
      {document.pages > 0 && <Fact name={t("fact.pages")} value={String(document.pages)} />}
    </dl>
  );
}

/** Since when the log has the document, and who has seen that; both dates if the document's own is earlier. */
export function LogEntry({ document }: { document: Verification }) {
  const { t, date } = useWords();
  const site = useSite();
  const { code, date: dated, log_entry: entry, log_pending } = document;
  if (log_pending) return <p className="muted of">{t("log.pending")}</p>;
  if (!entry || entry.problem) return null;
  const { number, kind, seen_by, log_began, newest = number } = entry;
  const entered = date(entry.date);
  return (
    <>
      {isRealDate(dated) && dated < entry.date && (
        <p className="of">
          <Said text={t("log.dated", { why: kind, date: date(dated), entered })} />
        </p>
      )}
      <p className="muted of">
        <Said text={t("log.entered", { number, date: entered, others: seen_by })} />{" "}
        {log_began && <Said text={`${t("log.began", { date: date(log_began) })} `} />}
        <a href={`/v/${code}/proof`} download>
          {t("log.proof")}
        </a>
        {newest !== number && (
          <>
            {" · "}
            <a href={`/v/${code}/proof?entry=newest`} download>
              {t("log.proof.newest", { number: newest })}
            </a>
          </>
        )}
        {" · "}
        <a href={`${site?.main ?? ""}/seals#log`} hrefLang="en">
          {t("log.what")}
        </a>
      </p>
    </>
  );
}

/** Texts of the issuer as one of theirs, so that their order is that of their own direction. */
export const theirs = (...texts: string[]): string => asTheirs(texts.filter(Boolean).join(", "));

export const Fact = ({ name, value, language }: { name: string; value: string; language?: "en" | undefined }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Said text={value} language={language} />
    </dd>
  </div>
);

/** Pages that everyone may see, or a holder below `at`, loaded when they are unfolded. */
export function OpenPages({ document, at = `/v/${document.code}` }: { document: Verification; at?: string }) {
  const { open_pages, preparing } = document;
  const { t } = useWords();
  if (open_pages.length === 0) return null;
  const pages = open_pages.flatMap(({ n, pages }) => Array.from({ length: pages }, (_, index) => [n, index + 1]));
  return (
    <details>
      <summary className="btn">{t("pages.show")}</summary>
      {preparing && <p className="muted">{t("pages.preparing")}</p>}
      {pages.map(([n, page], index) => (
        <img
          key={`${n} ${page}`}
          src={`${at}/pages/${n}?page=${page}`}
          alt={t("pages.page", { page: index + 1 })}
          loading="lazy"
          width="620"
          height="877"
        />
      ))}
    </details>
  );
}
