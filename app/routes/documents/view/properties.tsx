import { say } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { Facts, mailFact } from "../../../components/record/facts.tsx";
import { showDate } from "../../../components/text/format.ts";
import { ReadersLink } from "./readers.tsx";

/** The properties that every document has. */
export function SystemProperties({ document, hasReaders }: { document: Document; hasReaders: boolean }) {
  return (
    <Facts
      facts={[
        [say("common.documentName"), document.name],
        [say("documents.properties.userName"), document.user],
        [say("common.userEmail"), mailFact(document.email)],
        [say("common.date"), showDate(document.date)],
        [say("common.number"), asCode(document.number)],
        [say("common.type"), document.document_type],
        [say("common.subtype"), document.document_subtype],
        [say("common.pages"), document.pages],
        ...(document.copies > 1 ? [[say("common.copies"), document.copies] as [string, number]] : []),
        [say("common.branch"), document.branch],
        [say("common.manager"), document.manager],
        [say("common.active"), yesOrNo(document.active)],
        [say("common.companyUsersAccessGroup"), <GroupFact key="group" document={document} hasReaders={hasReaders} />],
        [
          say("common.expireDate"),
          document.expire_type === "never" ? say("common.never") : showDate(document.expire_date),
        ],
        [say("common.prolongation"), yesOrNo(document.prolongation)],
        [say("common.documentAccessType"), document.access_type],
      ]}
    />
  );
}

const GroupFact = ({ document, hasReaders }: { document: Document; hasReaders: boolean }) => (
  <>
    {document.users_access_group || "–"}
    {hasReaders && <ReadersLink />}
  </>
);

/** Empty where the provider sent no value. */
const yesOrNo = (flag: boolean | undefined) => (flag === undefined ? "" : flag ? say("common.yes") : say("common.no"));
const asCode = (number: string) => <span className="code">{number}</span>;

/** The properties that its author added. */
export function CustomProperties({ document }: { document: Document }) {
  if (document.custom_fields.length === 0) {
    return <p className="py-3 text-muted">{say("documents.properties.noCustomProperties")}</p>;
  }
  return <Facts facts={document.custom_fields.map(({ name, value }) => [name, value])} />;
}
