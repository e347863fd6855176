import type { ReactNode } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { Facts, mailFact } from "../../../components/record/facts.tsx";
import { showDate } from "../../../components/text/format.ts";
import { whole } from "../../../components/text/message-elements.tsx";
import { ReadersLink } from "./readers.tsx";

/** The properties that every document has. */
export function SystemProperties({ document, hasReaders }: { document: Document; hasReaders: boolean }) {
  return (
    <Facts
      facts={[
        [t("common.documentName"), document.name],
        [t("documents.properties.userName"), document.user],
        [t("common.userEmail"), mailFact(document.email)],
        [t("common.date"), showDate(document.date)],
        [t("common.number"), asCode(document.number)],
        [t("common.type"), document.document_type],
        [t("common.subtype"), document.document_subtype],
        [t("common.pages"), document.pages],
        ...(document.copies > 1 ? [[t("common.copies"), document.copies] as [string, number]] : []),
        [t("common.branch"), document.branch],
        [t("common.manager"), document.manager],
        [t("common.active"), yesOrNo(document.active)],
        [t("common.companyUsersAccessGroup"), <GroupFact key="group" document={document} hasReaders={hasReaders} />],
        [t("common.expireDate"), document.expire_type === "never" ? t("common.never") : showDate(document.expire_date)],
        [t("common.prolongation"), yesOrNo(document.prolongation)],
        [t("common.documentAccessType"), document.access_type],
        ...(document.drafted_by ? [[t("documents.releases.draftedBy"), document.drafted_by] as [string, string]] : []),
        ...(document.released_by
          ? [[t("documents.releases.releasedBy"), document.released_by] as [string, string]]
          : []),
        ...(document.log_entry ? [logFact(document, document.log_entry)] : []),
        ...(document.log_pending
          ? [[t("documents.properties.logEntry"), t("documents.properties.logPending")] as [string, string]]
          : []),
      ]}
    />
  );
}

/** Since when the log has it, with the proof as strangers get it. */
const logFact = (
  { code }: Document,
  { number, date, seen_by, log_began, problem, newest = number }: NonNullable<Document["log_entry"]>,
): [string, ReactNode] => [
  t("documents.properties.logEntry"),
  problem ? (
    <span key="log">{t("documents.properties.logDiffers", { why: problem, number: newest })}</span>
  ) : (
    <span key="log">
      {tRich("documents.properties.entered", { number, date: showDate(date), others: seen_by, whole })}{" "}
      {log_began && tRich("documents.properties.logBegan", { date: showDate(log_began), whole })}{" "}
      <a href={`/v/${code}/proof`} download>
        {t("documents.properties.logProof")}
      </a>
      {newest !== number && (
        <>
          {", "}
          <a href={`/v/${code}/proof?entry=newest`} download>
            {t("documents.properties.newestProof", { number: newest })}
          </a>
        </>
      )}
    </span>
  ),
];

const GroupFact = ({ document, hasReaders }: { document: Document; hasReaders: boolean }) => (
  <>
    {document.users_access_group || "–"}
    {hasReaders && <ReadersLink />}
  </>
);

/** Empty if the provider sent no value. */
const yesOrNo = (flag: boolean | undefined) => (flag === undefined ? "" : flag ? t("common.yes") : t("common.no"));
const asCode = (number: string) => (
  <span className="code" translate="no">
    {number}
  </span>
);

/** The properties that its author added. */
export function CustomProperties({ document }: { document: Document }) {
  if (document.custom_fields.length === 0) {
    return <p className="py-3 text-muted">{t("documents.properties.noCustomProperties")}</p>;
  }
  return <Facts facts={document.custom_fields.map(({ name, value }) => [name, value])} />;
}
