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

export const bill: Habit = async (visitor) => {
  await visitor.call("companyBill");
  const { json = [] } = await visitor.call("listTariffs");
  const tariff = visitor.pick(json as { id: number }[]);
  if (tariff && visitor.choices.happens(0.3)) await visitor.call("changeTariff", { body: { tariff: tariff.id } });
  await visitor.call("currentUser");
};
