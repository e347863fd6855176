import { draftOf, issue } from "./drafts.ts";
import type { Habit } from "./visitor.ts";

/** What one user drafts and others release. */

/** Has permits wait for one user or two; changes that, and lifts it again. */
export const holdBack: Habit = async (visitor) => {
  const { choices, pick } = visitor;
  const { status, json } = await visitor.call("listReleaseRules");
  const body = { document_type: "Permit", releasers: pick([1, 1, 2]) };
  if (status !== 200) return;
  if (json.length === 0) return void (await visitor.call("createReleaseRule", { body }));
  const params = { id: json[0].id };
  if (choices.happens(0.3)) await visitor.call("removeReleaseRule", { params });
  else await visitor.call("updateReleaseRule", { params, body });
};

/** Releases what waits, perhaps twice at once, or returns it. */
export const release: Habit = async (visitor) => {
  const { choices, me, pick } = visitor;
  const row = pick(await visitor.rows("listReleases", { whose: "release" }));
  const { status, json } = row
    ? await visitor.call("getRelease", { params: { id: row.id } })
    : { status: 404, json: {} };
  if (status !== 200) return;
  const [params, { version }] = [{ id: json.id }, json];
  const reason = `Look again: ${(me.memory.returned = (me.memory.returned ?? 0) + 1)}`;
  if (choices.happens(0.3)) return void (await visitor.call("returnDraft", { params, body: { version, reason } }));
  const send = () => visitor.call("releaseDraft", { params, body: { version } });
  await Promise.allSettled([send(), choices.happens(0.3) ? send() : undefined]);
  await visitor.rows("listDocuments");
};

/** Returns a draft in one tab, and releases it in an older one once it was sent again. */
export const releaseOld: Habit = async (visitor) => {
  const { choices, me, pick } = visitor;
  const waiting = await visitor.rows("listReleases", { whose: "release" });
  const old = me.memory.release;
  const again = old && waiting.find(({ id }) => id === old.id);
  if (again) await visitor.call("releaseDraft", { params: { id: old.id }, body: { version: old.version } });
  if (old && !again && choices.happens(0.6)) return;
  const { id, version } = (me.memory.release = pick(waiting)) ?? {};
  const body = { version, reason: `Not like this: ${id}.${version}` };
  if (id) await visitor.call("returnDraft", { params: { id }, body });
};

/** Tries to release what is one's own; sends again what was returned, or gives it up. */
export const sendAgain: Habit = async (visitor) => {
  const { choices, pick } = visitor;
  const own = (await visitor.rows("listReleases", { whose: "own" })).filter(({ state }) => state !== "released");
  const row = own.find(({ state }) => state === "returned") ?? pick(own);
  if (!row) return;
  const [params, { version }] = [{ id: row.id }, row];
  if (row.state === "waiting") await visitor.call("releaseDraft", { params, body: { version } });
  else if (choices.happens(0.3)) await visitor.call("discardDraft", { params });
  else if (row.act === "issue")
    await issue(visitor, { ...draftOf(visitor), document_type: "Permit", document_subtype: "Event", release: row.id });
};
