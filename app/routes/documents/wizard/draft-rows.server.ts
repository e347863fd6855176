import { showInstant } from "../../../components/text/format.ts";
import { draftName } from "../../../server/drafts/draft-name.ts";
import { listDrafts } from "../../../server/drafts/drafts.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";

/** The user's drafts, the newest first. */
export async function draftRows(context: Context) {
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const drafts = await listDrafts(user.id);
  return drafts.map((draft) => ({
    id: draft.id,
    name: draftName(draft.values),
    saved: showInstant(draft.updatedAt, timeZone),
  }));
}

export type DraftRow = Awaited<ReturnType<typeof draftRows>>[number];
