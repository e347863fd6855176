import { asTheirs } from "#lib/messages/isolates.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { Said, useWords } from "./said.tsx";

/** What the register says of a document that was found. */
export function RecordFacts({ document }: { document: Verification }) {
  const { say, date } = useWords();
  const { company, branch, expire_date, ended, copy, copies, copy_withdrawn, replaced_by } = document;
  return (
    <dl>
      <Fact name={say("fact.number")} value={asTheirs(document.number)} />
      <Fact name={say("fact.type")} value={theirs(document.document_type, document.document_subtype)} />
      <Fact name={say("fact.issuer")} value={theirs(company, branch)} />
      <Fact name={say("fact.date")} value={date(document.date)} />
      {ended && <Fact name={say("fact.endedOn")} value={date(ended.since)} />}
      {document.withdrawal_text && <Fact name={say("fact.reason")} value={asTheirs(document.withdrawal_text)} />}
      {replaced_by && (
        <Fact
          name={say("fact.replacedBy")}
          value={say("fact.replacedBy.value", { number: replaced_by.number, date: date(replaced_by.date) })}
        />
      )}
      {!ended && <Fact name={say("fact.validUntil")} value={expire_date ? date(expire_date) : say("fact.noEnd")} />}
      {copies > 1 && <Fact name={say("fact.copy")} value={say("fact.copy.value", { copy, copies })} />}
      {copy_withdrawn && (
        <Fact
          name={say("fact.copyWithdrawn")}
          value={say("fact.copyWithdrawn.value", { why: copy_withdrawn.reason, date: date(copy_withdrawn.since) })}
        />
      )}
      <Fact name={say("fact.pages")} value={String(document.pages)} />
    </dl>
  );
}

/** Texts of the issuer as one of theirs, so that their order is that of their own direction. */
export const theirs = (...texts: string[]): string => asTheirs(texts.filter(Boolean).join(", "));

export const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Said text={value} />
    </dd>
  </div>
);

/** Pages that everyone may see, loaded when they are unfolded. */
export function OpenPages({ document: { code, open_pages, preparing } }: { document: Verification }) {
  const { say } = useWords();
  if (open_pages.length === 0) return null;
  const pages = open_pages.flatMap(({ n, pages }) => Array.from({ length: pages }, (_, index) => [n, index + 1]));
  return (
    <details>
      <summary className="btn">{say("pages.show")}</summary>
      {preparing && <p className="muted">{say("pages.preparing")}</p>}
      {pages.map(([n, page], index) => (
        <img
          key={`${n} ${page}`}
          src={`/v/${code}/pages/${n}?page=${page}`}
          alt={say("pages.page", { page: index + 1 })}
          loading="lazy"
          width="620"
          height="877"
        />
      ))}
    </details>
  );
}
