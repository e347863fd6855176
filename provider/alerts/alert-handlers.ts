import type { Actor } from "../access.ts";
import { assign } from "./cases/assign.ts";
import { complete, findAlert, reopen, see } from "./change-alert.ts";
import { matchingAlerts } from "./matching.ts";
import {
  assignAlert,
  completeAlert,
  getAlert,
  listAlerts,
  listColleagues,
  reopenAlert,
  seeAlert,
} from "../contract/alerts.ts";
import { maxColleagues } from "../contract/comment-limits.ts";
import { groupsOf } from "../access-groups/access-group-queries.ts";
import { alertReadersOf } from "../documents/readers.ts";
import { asAlert, otherPlacesOf } from "./alert-queries.ts";
import { listAlertScans } from "../contract/scans.ts";
import { contains, readList } from "../db/lists.ts";
import { asScan, isOfTime, scanRows } from "../scans/scan-queries.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

const columns = {
  name: "documents.name_key",
  branch: "branches.name_key",
  alert: "alerts.alert",
  date: "alerts.date",
};

export function serveAlerts(on: On, services: Services) {
  const { db } = services;

  on(listAlerts, async ({ actor, query, isUncounted }) => {
    const visible = matchingAlerts(db, actor, query);
    const order = { first: "-date" as const, last: "alerts.id", countedIn: db };
    const { rows, total, isCapped } = await readList(visible, { ...query, isUncounted }, columns, order);
    return listReply(
      rows.map((row) => asAlert(row, actor)),
      total,
      { isCapped },
    );
  });

  const readAlert = async (actor: Actor, id: number) => {
    const row = await findAlert(db, actor, id);
    return { ...asAlert(row, actor), other_places: await otherPlacesOf(db, actor, row) };
  };

  on(getAlert, ({ actor, params }) => readAlert(actor, params.id));

  on(listAlertScans, async ({ actor, params }) => {
    const alert = await findAlert(db, actor, params.id);
    const rows = await scanRows(db, actor)
      .innerJoin("alert_scans", "alert_scans.scan_id", "scans.id")
      .where(isOfTime(alert))
      .leftJoin("complaints", "complaints.scan_id", "scans.id")
      .select(["complaints.text as complaint", "complaints.contact", "complaints.language as complaint_language"])
      .where("alert_scans.alert_id", "=", alert.id)
      .orderBy("scans.id", "desc")
      .execute();
    return rows.map(asScan);
  });

  on(completeAlert, async ({ actor, caller, params: { id }, body }) => {
    await complete(services, caller, id, body);
    return readAlert(actor, id);
  });

  on(reopenAlert, async ({ actor, caller, params: { id }, body: { reason } }) => {
    await reopen(services, caller, id, reason);
    return readAlert(actor, id);
  });

  on(seeAlert, async ({ actor, caller, params: { id } }) => {
    await see(services, caller, id);
    return readAlert(actor, id);
  });

  on(assignAlert, async ({ actor, caller, params: { id }, body: { owner } }) => {
    await assign(services, caller, id, owner);
    return readAlert(actor, id);
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
