import type { ExpressionBuilder } from "kysely";
import { complete, findAlert, reopen } from "../alerts/change.ts";
import { completeAlert, completed, getAlert, listAlerts, reopenAlert } from "../contract/alerts.ts";
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

export function serveAlerts(on: On, services: Services) {
  const { db } = services;

  on(listAlerts, async ({ actor, query, isUncounted }) => {
    const { name, number, text, alert, date, state, document_id } = query;
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

  on(completeAlert, async ({ actor, caller, params: { id }, body: { note } }) => {
    await complete(services, caller, id, note);
    return asAlert(await findAlert(db, actor, id), actor);
  });

  on(reopenAlert, async ({ actor, caller, params: { id }, body: { reason } }) => {
    await reopen(services, caller, id, reason);
    return asAlert(await findAlert(db, actor, id), actor);
  });
}
