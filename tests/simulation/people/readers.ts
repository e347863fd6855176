import { open } from "./papers.ts";
import { getKey } from "./integrations.ts";
import type { Habit } from "./visitor.ts";

/** Those who look around, lose copies, leave, and end what others have open. */

/** Reads in one place after the other what lists show by rights of their own. */
export const look: Habit = async (visitor) => {
  const document = visitor.pick(await visitor.rows("listDocuments"));
  await visitor.call("search", { query: { q: document?.number ?? "Contract" } });
  await visitor.call("search", { query: { q: visitor.pick(["Newcomer", "Leeds", "Employee"])! } });
  await visitor.call("getCalendar", { query: { month: visitor.day(20).slice(0, 7) } });
  await visitor.call("dailyScans");
  if (!document) return;
  const params = { id: document.id };
  for (const call of ["listCopies", "listDocumentScans", "listReaders", "listRecipients"] as const)
    await visitor.call(call, { params });
};

/** Withdraws a copy, and perhaps finds it again. */
export const loseCopy: Habit = async (visitor) => {
  const { choices, company, pick } = visitor;
  const paper = pick(company.papers.filter(({ copies }) => copies > 1));
  if (!paper) return;
  const params = { id: paper.id, n: 1 + choices.below(2) };
  await visitor.call("withdrawCopy", { params, body: { reason: "lost", note: "" } });
  await open(visitor, paper);
  if (choices.happens(0.5)) await visitor.call("restoreCopy", { params });
};

/** Ends a colleague's sessions, or one's own on other devices. */
export const endSessions: Habit = async (visitor) => {
  const user = visitor.pick(await visitor.rows("listUsers"));
  if (visitor.choices.happens(0.3)) await visitor.call("endOtherSessions");
  if (user && user.email !== visitor.me.email) await visitor.call("endUserSessions", { params: { id: user.id } });
};

/** Signs out on one device. */
export const leave: Habit = async (visitor) => {
  const { me, choices } = visitor;
  const session = me.sessions[choices.below(me.sessions.length)];
  if (session) await visitor.as(session, "logout");
  if (session) await visitor.as(session, "currentUser");
};

/** Removes newcomers all at once, and perhaps takes it back. */
export const dismiss: Habit = async (visitor) => {
  const { me, choices } = visitor;
  const newcomers = (await visitor.rows("listUsers", { name: "Newcomer" })).slice(0, 3);
  if (newcomers.length === 0) return;
  const key = `dismiss ${(me.memory.dismissed = (me.memory.dismissed ?? 0) + 1)}`;
  const body = { act: "deactivate", ids: newcomers.map(({ id }) => id).join(","), key };
  const { json } = await visitor.call("startUserActions", { body });
  if (json?.id && choices.happens(0.5)) await visitor.call("undoBulkAction", { params: { id: json.id } });
};

/** Revokes a key of the company's program, which gets another. */
export const renewKey: Habit = async (visitor) => {
  const { json, status } = await visitor.call("listOwnKeys");
  const key = status === 200 && (json as any[]).find(({ name }) => name === "Ledger");
  if (key) await visitor.call("revokeOwnKey", { params: { id: key.id } });
  visitor.company.apiKeys.splice(0);
  await getKey(visitor);
};
