import type { Verification } from "#provider/contract/verify.ts";
import { showDate } from "../../components/format.ts";
import { withdrawnOn } from "../../components/verdict-words.ts";

/** What the register says of a document that was found. */
export function RecordFacts({ document }: { document: Verification }) {
  const { company, branch, expire_date, ended, copy, copies, copy_withdrawn, replaced_by } = document;
  return (
    <dl>
      <Fact name="Number" value={document.number} />
      <Fact name="Type" value={[document.document_type, document.document_subtype].filter(Boolean).join(", ")} />
      <Fact name="Issued by" value={[company, branch].filter(Boolean).join(", ")} />
      <Fact name="Date" value={showDate(document.date)} isDate />
      {ended && <Fact name="Ended on" value={showDate(ended.since)} isDate />}
      {document.withdrawal_text && <Fact name="Reason" value={document.withdrawal_text} />}
      {replaced_by && (
        <Fact name="Replaced by" value={`${replaced_by.number} of ${showDate(replaced_by.date)}`} isDate />
      )}
      {!ended && <Fact name="Valid until" value={expire_date ? showDate(expire_date) : "No end is set"} isDate />}
      {copies > 1 && <Fact name="Copy" value={`${copy} of ${copies}`} />}
      {copy_withdrawn && <Fact name="Copy withdrawn" value={withdrawnOn(copy_withdrawn).trim()} isDate />}
      <Fact name="Pages" value={String(document.pages)} />
    </dl>
  );
}

export const Fact = ({ name, value, isDate = false }: { name: string; value: string; isDate?: boolean }) => (
  <div>
    <dt>{name}</dt>
    <dd className={isDate ? "date" : undefined}>{value}</dd>
  </div>
);

/** Pages that everyone may see, loaded when they are unfolded. */
export function OpenPages({ document: { code, open_pages, preparing } }: { document: Verification }) {
  if (open_pages.length === 0) return null;
  const pages = open_pages.flatMap(({ n, pages }) => Array.from({ length: pages }, (_, index) => [n, index + 1]));
  return (
    <details>
      <summary className="btn">Show the pages</summary>
      {preparing && (
        <p className="muted">
          Some pages are still being prepared. If one does not show, reload this page in a moment.
        </p>
      )}
      {pages.map(([n, page], index) => (
        <img
          key={`${n} ${page}`}
          src={`/v/${code}/pages/${n}?page=${page}`}
          alt={`Page ${index + 1}`}
          loading="lazy"
          width="620"
          height="877"
        />
      ))}
    </details>
  );
}
