import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { showDate } from "../../../components/text/format.ts";
import { createDraft, type DraftValues, listDrafts } from "../../../server/drafts/drafts.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { failure, notOffered } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers, getUser, may, requireRight } from "../../../server/sessions/current-user.ts";
import { readOptions } from "./options.server.ts";
import { stepPath } from "../wizard/steps.ts";

/** New versions of documents: drafts that replace them. */

/** Whether a user may replace a document by a new version. */
export const mayRenew = (context: Context, { status }: Document) =>
  status === "active" &&
  getOffers(context).newVersions &&
  may(getUser(context), "docs", "write") &&
  may(getUser(context), "docs", "create");

/** Leads to a draft with everything of a document but its pages and number: to the user's own, if there is one. */
export async function beginNewVersion(context: Context, id: string): Promise<Response> {
  requireRight(context, "docs", "create", t("documents.rights.issue"));
  if (!getOffers(context).newVersions) throw notOffered(t("documents.offers.newVersions"));
  const document = await getProvider(context).getDocument({ params: { id } });
  if (!mayRenew(context, document)) {
    const message = t("documents.newVersion.isNotActive", { number: document.number });
    throw failure(409, { kind: "refused", message });
  }
  const { id: userId } = getUser(context);
  const draftOfVersion = (await listDrafts(userId)).find(({ values, issued }) => !issued && values.replaces === id);
  if (draftOfVersion) return redirect(`${stepPath(draftOfVersion.id, "type")}?continue`);
  const { date } = await readOptions(context);
  return redirect(stepPath(await createDraft(userId, renewedValues(document, date)), "fields"));
}

/** An expire date that has passed is left to be entered. */
function renewedValues(document: Document, today: string): DraftValues {
  const { expire_type, expire_date, prolongation, copies, custom_fields } = document;
  const { document_type, document_subtype, name, email, access_type, users_access_group, qr_placing } = document;
  return {
    document_type,
    document_subtype,
    name,
    email,
    access_type,
    users_access_group,
    qr_placing,
    custom_fields,
    date: showDate(today),
    expire_type,
    expire_date: expire_date > today ? showDate(expire_date) : "",
    prolongation: prolongation ? "1" : "0",
    copies: String(copies),
    ...replacedValues(document),
  };
}

/** What a draft remembers of the document that it replaces. */
export const replacedValues = ({ id, number, version }: Pick<Document, "id" | "number" | "version">) => ({
  replaces: String(id),
  replaces_number: number,
  replaces_version: String(version),
});
