import { findGroup as currentGroup } from "../access-groups/change-access-group.ts";
import { type Actor, isAdministratorGroup } from "../access.ts";
import { findBranch } from "../branches/change-branch.ts";
import { maySeeMoves } from "../branches/moves.ts";
import {
  accessGroupHistory,
  alertHistory,
  type AuditEntity,
  type AuditTrail,
  branchHistory,
  documentHistory,
  listAudit,
  moveActions,
  userHistory,
} from "../contract/audit.ts";
import { asEntry, auditRows } from "./audit-queries.ts";
import { lastRestrictedEntry } from "./restricted-history.ts";
import { dayBounds } from "../calendar/calendar.ts";
import { findAlert } from "../alerts/change-alert.ts";
import { findDocument } from "../documents/document-queries.ts";
import { contains, filters, type Part, readList } from "../db/lists.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import { forbidden, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { findUser } from "../users/find.ts";

const columns = { at: "audit.at" };

export function serveAudit(on: On, { db }: Services) {
  on(listAudit, async ({ actor, query }) => {
    if (!isAdministratorGroup(actor.permissions)) throw forbidden();
    const { entity, trail, date_from, date_to } = query;
    const rows = auditRows(db, actor.company_id)
      .where((eb) => eb.and(filters(query, { actor: "audit.actor", action: "audit.action" })))
      .$if(Boolean(entity), (rows) =>
        rows.where((eb) => eb.or([contains("audit.entity", entity!), contains("audit.entity_name", entity!)])),
      )
      .$if(Boolean(trail), (rows) => rows.where("trail", "=", trail as AuditTrail))
      .$if(Boolean(date_from), (rows) => rows.where("audit.at", ">=", dayBounds(actor.timezone, date_from!).begin))
      .$if(Boolean(date_to), (rows) => rows.where("audit.at", "<", dayBounds(actor.timezone, date_to!).end));
    return historyReply(actor, rows, query);
  });

  const historyReply = async (reader: Actor, rows: ReturnType<typeof auditRows>, part: Part) => {
    const order = { first: "-at", last: "audit.id", countedIn: db };
    const { rows: entries, total, isCapped } = await readList(rows, part, columns, order);
    return listReply(
      entries.map((entry) => asEntry(entry, reader)),
      total,
      { isCapped },
    );
  };

  /** Serves the history of a kind of record. `find` throws or returns nothing if the actor may not read it. */
  const onHistory = (
    call:
      | typeof documentHistory
      | typeof userHistory
      | typeof branchHistory
      | typeof alertHistory
      | typeof accessGroupHistory,
    entity: AuditEntity,
    find: (actor: Actor, id: number) => Promise<unknown>,
  ) =>
    on(call, async ({ actor, params, query }) => {
      if (!(await find(actor, params.id))) throw notFound();
      const rows = auditRows(db, actor.company_id)
        .where("entity", "=", entity)
        .where("entity_id", "=", params.id)
        .where("trail", "=", "changes");
      const moves: string[] = entity === "branch" && !maySeeMoves(actor, params.id) ? [...moveActions] : [];
      const hidden = entity === "document" ? await lastRestrictedEntry(db, actor, params.id) : 0;
      const visible = moves.length > 0 ? rows.where("action", "not in", moves) : rows;
      return historyReply(actor, visible.where("audit.id", ">", hidden), query);
    });

  onHistory(documentHistory, "document", (actor, id) => findDocument(db, actor, id));
  onHistory(userHistory, "user", (actor, id) => findUser(db, actor, id, "read"));
  onHistory(branchHistory, "branch", (actor, id) => findBranch(db, actor, id, "read"));
  onHistory(alertHistory, "alert", (actor, id) => findAlert(db, actor, id));
  onHistory(accessGroupHistory, "access group", (actor, id) => currentGroup(db, actor, id));
}
