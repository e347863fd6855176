import { draftForm } from "../../fixtures/forms.ts";
import { draftOf, issue, pages, save } from "./drafts.ts";
import type { Habit } from "./visitor.ts";

/** Drafters issue documents, and change them by forms that may be old. */

export const draft: Habit = async (visitor) => {
  await visitor.call("documentOptions");
  const { json } = await issue(visitor, draftOf(visitor));
  await visitor.rows("listDocuments");
  if (json?.id) await visitor.call("getDocument", { params: { id: json.id } });
};

/** Sends a draft twice at once, as a double click does, and later once more. */
export const doubleClick: Habit = async (visitor) => {
  const { me } = visitor;
  const key = `click ${(me.memory.clicks = (me.memory.clicks ?? 0) + 1)}`;
  await visitor.call("currentUser");
  const fields = draftOf(visitor);
  const send = () => issue(visitor, fields, { "Idempotency-Key": key });
  await Promise.allSettled([send(), send()]);
  await send();
};

/** Saves a form that was opened on an earlier visit. */
export const editOld: Habit = async (visitor) => {
  const { me } = visitor;
  const old = me.memory.form;
  if (old) await save(visitor, old, `${old.name}.`);
  const row = visitor.pick(await visitor.rows("listDocuments"));
  if (row) me.memory.form = (await visitor.call("getDocument", { params: { id: row.id } })).json;
};

/** Issues a new version of a document, perhaps twice at once, and looks at the older paper's page. */
export const replace: Habit = async (visitor) => {
  const older = visitor.pick(await visitor.rows("listDocuments"));
  if (!older) return;
  const send = () => issue(visitor, { ...draftOf(visitor), replaces: older.id });
  await Promise.allSettled([send(), visitor.choices.happens(0.5) ? send() : undefined]);
  const { code } = visitor.company.papers.find(({ id }) => id === older.id) ?? {};
  if (code) await visitor.anonymously("verify", { params: { code } });
};

/** Two forms of one document, saved at the same time. */
export const editColleague: Habit = async (visitor) => {
  const row = visitor.pick(await visitor.rows("listDocuments"));
  const { status, json } = row
    ? await visitor.call("getDocument", { params: { id: row.id } })
    : { status: 404, json: {} };
  if (status !== 200) return;
  await Promise.allSettled([save(visitor, json, `${json.name} a`), save(visitor, json, `${json.name} b`)]);
};

/** Goes on in a tab of long ago, signed in or not. */
export const forgottenTab: Habit = async (visitor) => {
  const { me, company } = visitor;
  const tab = me.sessions.at(-1);
  if (!tab) return;
  const paper = visitor.pick(company.papers);
  await visitor.as(tab, "listDocuments", { query: { page: 1 } });
  if (paper) await visitor.as(tab, "getDocument", { params: { id: paper.id } });
  if (paper && visitor.choices.happens(0.3))
    await visitor.as(tab, "exitDocument", { params: { id: paper.id }, body: {} });
  await visitor.as(tab, "storeDocument", { body: draftForm(draftOf(visitor), pages()) });
};
