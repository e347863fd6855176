import { alertsWithin } from "../access.ts";
import { assign } from "../alerts/cases/assign.ts";
import { complete, reopen } from "../alerts/change-alert.ts";
import { matchingAlerts } from "../alerts/matching.ts";
import { completed, listAlerts, type Outcome } from "../contract/alerts.ts";
import { alertNumber, alertRows } from "../alerts/alert-queries.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { nobody, type RecordKind, parseFilters, skipped } from "./record-kind.ts";

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = async (db: Db, where: ReturnType<typeof alertsWithin>, ids: number[]) => {
  const rows = await alertRows(db)
    .where(isAmong(db, "alerts.id", ids))
    .where(where)
    .execute();
  return rows.map((row) => ({ ...row, label: `${alertNumber(row.number)} ${row.document}` }));
};

const ownerOf = ({ owner_id }: Pick<Row, "owner_id">) => (owner_id === null ? nobody : String(owner_id));

export const alerts: RecordKind<Row> = {
  area: "alerts",
  async matching({ db }, actor, filters, limit) {
    const rows = matchingAlerts(db, actor, parseFilters(listAlerts.query, filters));
    const matches = await rows.clearSelect().select("alerts.id").orderBy("alerts.id", "desc").limit(limit).execute();
    return matches.map(({ id }) => id);
  },
  records: (db, actor, right, ids) => rowsOf(db, alertsWithin(actor, right), ids),
  acts: {
    complete: {
      needs: "note",
      takes: ["outcome"],
      judge: ({ status }) => (status === completed ? skipped("It was completed already") : undefined),
      perform: (services, { caller }, id, { note = "", outcome = "done" }) =>
        complete(services, caller, id, { note, outcome: outcome as Outcome }),
      reverse: { act: "reopen", parametersFrom: () => ({ note: "Completed by mistake together with others" }) },
    },
    reopen: {
      needs: "note",
      judge: ({ status }) => (status === completed ? undefined : skipped("It was open already")),
      perform: (services, { caller }, id, { note = "" }) => reopen(services, caller, id, note),
      reverse: { act: "complete", parametersFrom: ({ note, case_state }) => ({ note, outcome: case_state }) },
    },
    assign: {
      needs: "owner",
      judge({ status, owner_id }, { owner }) {
        if (status === completed)
          return { state: "refused", reason: "This alert has been completed: reopen it to assign it" };
        return owner === ownerOf({ owner_id }) ? skipped("It had this owner already") : undefined;
      },
      perform: (services, { caller }, id, { owner = nobody }) =>
        assign(services, caller, id, owner === nobody ? "" : owner),
      reverse: { act: "assign", parametersFrom: (before) => ({ owner: ownerOf(before) }) },
    },
  },
};
