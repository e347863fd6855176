import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { assign } from "../alerts/assign.ts";
import { complete, findAlert, reopen, see } from "../alerts/change.ts";
import {
  assignAlert,
  type CaseState,
  caseStates,
  completeAlert,
  completed,
  getAlert,
  listAlerts,
  listColleagues,
  reopenAlert,
  seeAlert,
} from "../contract/alerts.ts";
import type { Actor } from "../access.ts";
import { groupsOf } from "../db/access-groups.ts";
import { alertReadersOf } from "../db/readers.ts";
import { alertRows, readableAlerts, asAlert } from "../db/alerts.ts";
import { listAlertScans } from "../contract/scans.ts";
import { parseDateFilter } from "../contract/partial-dates.ts";
import { contains, filters, isWithinDates, readPart } from "../db/lists.ts";
import { asScan, scanRows } from "../db/scans.ts";
import type { Tables } from "../db/tables.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

const columns = {
  name: "documents.name_key",
  branch: "branches.name_key",
  alert: "alerts.alert",
  date: "alerts.date",
};

/** An alert collects the complaints of a day, and its reason is the first. */
const hasComplaint = (text: string) => (eb: ExpressionBuilder<Tables, "alerts">) =>
  eb.exists(
    eb
      .selectFrom("alert_scans")
      .innerJoin("complaints", "complaints.scan_id", "alert_scans.scan_id")
      .whereRef("alert_scans.alert_id", "=", "alerts.id")
      .where("alerts.alert", "=", "Complaint")
      .where(contains("complaints.text", text))
      .select("complaints.scan_id"),
  );

const isCaseState = (state: string | undefined) => caseStates.some((one) => one === state);

/** What a list to choose from can show; others are found by name, or typed. */
const maxColleagues = 200;

/** Whose alerts a list is filtered to. */
const isOwnedBy = (actor: Actor, owner: string) => (eb: ExpressionBuilder<Tables, "alerts">) => {
  const ownerIn = (condition: Expression<SqlBool>) =>
    eb("alerts.owner_id", "in", (users) =>
      users.selectFrom("users").where("users.company_id", "=", actor.company_id).where(condition).select("users.id"),
    );
  if (owner.toLowerCase() === "me") return eb("alerts.owner_id", "=", actor.id);
  if (owner.toLowerCase() !== "nobody") return ownerIn(contains("users.name_key", owner));
  // A removed user works on nothing.
  return eb.or([eb("alerts.owner_id", "is", null), ownerIn(sql<SqlBool>`users.active = 0`)]);
};

export function serveAlerts(on: On, services: Services) {
  const { db } = services;

  on(listAlerts, async ({ actor, query, isUncounted }) => {
    const { name, number, text, alert, date, state, owner, document_id } = query;
    const only = state?.toLowerCase();
    const isDone = "completed".includes(alert?.toLowerCase() ?? "");
    const visible = alertRows(db)
      .where(readableAlerts(actor))
      .where((eb) => eb.and(filters({ name, number }, { name: columns.name, number: "documents.number_key" })))
      .$if(Boolean(text), (rows) =>
        rows.where((eb) => eb.or([contains("alerts.reason", text!), hasComplaint(text!)(eb)])),
      )
      .$if(Boolean(alert), (rows) =>
        rows.where((eb) =>
          eb.or([contains(columns.alert, alert!), ...(isDone ? [eb("alerts.status", "=", completed)] : [])]),
        ),
      )
      .$if(only === "open", (rows) => rows.where("alerts.status", "<", completed))
      .$if(only === "completed", (rows) => rows.where("alerts.status", "=", completed))
      .$if(isCaseState(only), (rows) => rows.where("alerts.case_state", "=", only as CaseState))
      .$if(Boolean(owner), (rows) => rows.where(isOwnedBy(actor, owner!)))
      .$if(Boolean(date), (rows) => rows.where(isWithinDates("alerts.day", parseDateFilter(date!), ["year", "day"])))
      .$if(Boolean(document_id), (rows) => rows.where("alerts.document_id", "=", document_id!));
    const order = { first: "-date", last: "alerts.id", countedIn: db };
    const { rows, total, isCapped } = await readPart(visible, { ...query, isUncounted }, columns, order);
    return listReply(
      rows.map((row) => asAlert(row, actor)),
      total,
      { isCapped },
    );
  });

  on(getAlert, async ({ actor, params }) => asAlert(await findAlert(db, actor, params.id), actor));

  on(listAlertScans, async ({ actor, params }) => {
    const alert = await findAlert(db, actor, params.id);
    const rows = await scanRows(db, actor)
      .innerJoin("alert_scans", "alert_scans.scan_id", "scans.id")
      .leftJoin("complaints", "complaints.scan_id", "scans.id")
      .select(["complaints.text as complaint", "complaints.contact"])
      .where("alert_scans.alert_id", "=", alert.id)
      .orderBy("scans.id", "desc")
      .execute();
    return rows.map(asScan);
  });

  on(completeAlert, async ({ actor, caller, params: { id }, body: { note, outcome } }) => {
    await complete(services, caller, id, note, outcome);
    return asAlert(await findAlert(db, actor, id), actor);
  });

  on(reopenAlert, async ({ actor, caller, params: { id }, body: { reason } }) => {
    await reopen(services, caller, id, reason);
    return asAlert(await findAlert(db, actor, id), actor);
  });

  on(seeAlert, async ({ actor, caller, params: { id } }) => {
    await see(services, caller, id);
    return asAlert(await findAlert(db, actor, id), actor);
  });

  on(assignAlert, async ({ actor, caller, params: { id }, body: { owner } }) => {
    await assign(services, caller, id, owner);
    return asAlert(await findAlert(db, actor, id), actor);
  });

  on(listColleagues, async ({ actor, params, query: { name } }) => {
    const { document_id: id, company_id } = await findAlert(db, actor, params.id);
    const groups = await groupsOf(db, company_id).selectAll().execute();
    return alertReadersOf(db, { id, company_id }, groups)
      .$if(Boolean(name), (readers) =>
        readers.where((eb) => eb.or([contains("users.name_key", name!), contains("users.email_key", name!)])),
      )
      .orderBy("users.name_key")
      .orderBy("users.id")
      .limit(maxColleagues)
      .execute();
  });
}
