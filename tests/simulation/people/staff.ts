import { open } from "./papers.ts";
import type { Habit } from "./visitor.ts";

/** Inspectors work on alerts; accountants look at bills and tariffs. */

export const inspect: Habit = async (visitor) => {
  const alert = visitor.pick(await visitor.rows("listAlerts"));
  await visitor.call("alertFigures");
  if (!alert) return;
  const params = { id: alert.id };
  await visitor.call("seeAlert", { params });
  await visitor.call("assignAlert", { params, body: { owner: "me" } });
  await visitor.call("completeAlert", { params, body: { note: "Looked at", outcome: visitor.pick(["fake", "done"]) } });
  if (visitor.choices.happens(0.3)) await visitor.call("reopenAlert", { params, body: { reason: "Once more" } });
};

/** Tries the code of a withdrawn document, whose alert of today may be completed. */
export const chase: Habit = async (visitor) => {
  const [alert] = await visitor.rows("listAlerts", { alert: "Withdrawn document", date: visitor.day() });
  const [document] = await visitor.rows("listDocuments", { validity: "withdrawn" });
  const paper = visitor.company.papers.find(({ id }) => id === (alert ?? document)?.[alert ? "document_id" : "id"]);
  const body = { note: "Seen", outcome: "done" };
  if (alert) await visitor.call("completeAlert", { params: { id: alert.id }, body });
  if (paper) await open(visitor, paper);
};

/** Writes about a colleague. */
export const comment: Habit = async (visitor) => {
  const alert = visitor.pick(await visitor.rows("listAlerts"));
  const newcomers = await visitor.rows("listUsers", { name: "Newcomer" });
  const n = (visitor.me.memory.comments = (visitor.me.memory.comments ?? 0) + 1);
  const colleague = visitor.pick(newcomers) ?? visitor.company.people[0];
  if (!alert || !colleague) return;
  const params = { id: alert.id };
  await visitor.call("addComment", { params, body: { text: `${n}: ask @${colleague.name}, please` } });
  await visitor.call("listComments", { params });
};

/** The administrator chooses another plan. */
export const choosePlan: Habit = async (visitor) => {
  const tariff = visitor.pick(await visitor.rows("listTariffs"));
  if (tariff) await visitor.call("changeTariff", { body: { tariff: tariff.id } });
};

export const bill: Habit = async (visitor) => {
  await visitor.call("companyBill");
  await visitor.rows("listTariffs");
  await visitor.call("currentUser");
};
