import { save } from "./drafts.ts";
import type { Habit } from "./visitor.ts";

/** Approvers decide on documents of all branches, one by one and many at once. */

const acts = ["exitDocument", "reactivateDocument", "archiveDocument", "restoreDocument", "prolongDocument"] as const;

export const decide: Habit = async (visitor) => {
  const status = visitor.pick(["active", "exited", "archived"])!;
  const document = visitor.pick(await visitor.rows("listDocuments", { status }));
  if (!document) return;
  for (const act of [visitor.pick(acts)!, visitor.pick(acts)!])
    await visitor.call(act, { params: { id: document.id } });
  await visitor.call("getDocument", { params: { id: document.id } });
};

/** Prolongs what ends soon. */
export const prolong: Habit = async (visitor) => {
  const document = visitor.pick(await visitor.rows("listDocuments", { validity: "expiring" }));
  if (document) await visitor.call("prolongDocument", { params: { id: document.id } });
};

/** Withdraws several documents, changes one of them, and takes the withdrawal back. */
export const undo: Habit = async (visitor) => {
  const { me, pick } = visitor;
  const rows = (await visitor.rows("listDocuments", { status: "active" })).slice(0, 3);
  const row = pick(rows);
  if (!row) return;
  const key = `undo ${(me.memory.undo = (me.memory.undo ?? 0) + 1)}`;
  const body = { act: pick(["exit", "prolong"]), ids: rows.map(({ id }) => id).join(","), key };
  const { json } = await visitor.call("startDocumentActions", { body });
  const changed = await visitor.call("getDocument", { params: { id: row.id } });
  if (changed.status === 200) await save(visitor, changed.json, `${row.name}!`);
  if (json?.id) await visitor.call("undoBulkAction", { params: { id: json.id } });
};

/** Many at once, and sometimes back again. */
export const bulk: Habit = async (visitor) => {
  const { me, choices, pick } = visitor;
  const rows = await visitor.rows("listDocuments");
  const ids = rows
    .filter(() => choices.happens(0.3))
    .map(({ id }) => id)
    .join(",");
  if (!ids) return;
  const key = `bulk ${(me.memory.bulk = (me.memory.bulk ?? 0) + 1)}`;
  const body = { act: pick(["archive", "exit", "prolong", "reactivate", "restore"]), ids, key };
  const send = () => visitor.call("startDocumentActions", { body });
  const [first] = await Promise.allSettled([send(), choices.happens(0.3) ? send() : undefined]);
  const id = first.status === "fulfilled" ? first.value?.json?.id : undefined;
  if (id && choices.happens(0.5)) await visitor.call("undoBulkAction", { params: { id } });
};
