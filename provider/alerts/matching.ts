import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import type { Actor } from "../access.ts";
import { type CaseState, caseStates, completed, type listAlerts } from "../contract/alerts.ts";
import { parseDateFilter } from "../contract/partial-dates.ts";
import { alertRows, readableAlerts } from "./alert-queries.ts";
import { contains, filters, isWithinDates } from "../db/lists.ts";
import type { Db, Tables } from "../db/tables.ts";

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

/** The alerts that the actor may read and that match the filters of their list. */
export function matchingAlerts(db: Db, actor: Actor, query: z.output<typeof listAlerts.query>) {
  const { name, number, text, alert, date, date_from, date_to, state, owner, document_id } = query;
  const only = state?.toLowerCase();
  const isDone = "completed".includes(alert?.toLowerCase() ?? "");
  return alertRows(db)
    .where(readableAlerts(actor))
    .where((eb) => eb.and(filters({ name, number }, { name: "documents.name_key", number: "documents.number_key" })))
    .$if(Boolean(text), (rows) =>
      rows.where((eb) => eb.or([contains("alerts.reason", text!), hasComplaint(text!)(eb)])),
    )
    .$if(Boolean(alert), (rows) =>
      rows.where((eb) =>
        eb.or([contains("alerts.alert", alert!), ...(isDone ? [eb("alerts.status", "=", completed)] : [])]),
      ),
    )
    .$if(only === "open", (rows) => rows.where("alerts.status", "<", completed))
    .$if(only === "completed", (rows) => rows.where("alerts.status", "=", completed))
    .$if(isCaseState(only), (rows) => rows.where("alerts.case_state", "=", only as CaseState))
    .$if(Boolean(owner), (rows) => rows.where(isOwnedBy(actor, owner!)))
    .$if(Boolean(date), (rows) => rows.where(isWithinDates("alerts.day", parseDateFilter(date!), ["year", "day"])))
    .$if(Boolean(date_from), (rows) => rows.where("alerts.day", ">=", date_from!))
    .$if(Boolean(date_to), (rows) => rows.where("alerts.day", "<=", date_to!))
    .$if(Boolean(document_id), (rows) => rows.where("alerts.document_id", "=", document_id!));
}
