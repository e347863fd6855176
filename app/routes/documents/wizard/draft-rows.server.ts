import { showInstant } from "../../../components/format.ts";
import { type Draft, listDrafts } from "../../../server/drafts/drafts.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";

/** What a draft is called before it has a number: its name, as long as a document's can be, or its type. */
export const draftName = ({ values }: Pick<Draft, "values">) =>
  (values.name || values.document_type || "Untitled").slice(0, 200);

/** The user's drafts, the newest first. */
export async function draftRows(context: Context) {
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const drafts = await listDrafts(user.id);
  return drafts.map((draft) => ({
    id: draft.id,
    name: draftName(draft),
    saved: showInstant(draft.updatedAt, timeZone),
  }));
}

export type DraftRow = Awaited<ReturnType<typeof draftRows>>[number];
