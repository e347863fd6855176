import { t } from "#lib/messages/staff.ts";

/** What a draft is called before it has a number: its name, as long as a document's can be, or its type. */
export const draftName = (values: { name?: string; document_type?: string }) =>
  (values.name || values.document_type || t("server.drafts.draftName.untitled")).slice(0, 200);
