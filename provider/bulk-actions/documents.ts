import { documentsWithin } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import { updateDocument } from "../contract/document-form.ts";
import { everyone } from "../contract/document-options.ts";
import { listDocuments } from "../contract/documents.ts";
import type { Cursor } from "../contract/cursors.ts";
import { documentList } from "../documents/list/index.ts";
import { documentRows, findDocument, readDocument } from "../documents/document-queries.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { changeDocument, performAction, shortenTo } from "../documents/change-document.ts";
import { type Action, transitions } from "../documents/lifecycle.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { remindDocument } from "../recipients/recipients.ts";
import type { Services } from "../services.ts";
import { type Act, type RecordKind, parseFilters, skipped, type Verdict } from "./record-kind.ts";

const readAtOnce = 500;

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = async (db: Db, where: ReturnType<typeof documentsWithin>, ids: number[]) => {
  const rows = await documentRows(db)
    .select(["documents.version", "documents.expire_type", "documents.first_expire_date", "documents.prolongation"])
    .select(["withdrawal_reason", "withdrawal_text", "withdrawal_note", "replaced_by_id"])
    .select((eb) => {
      const of = eb.selectFrom("recipients").whereRef("document_id", "=", "documents.id").where("ended_at", "is", null);
      const count = of.select(({ fn }) => fn.countAll<number>().as("count"));
      return [count.as("recipients"), count.where("opened_at", "is", null).as("unopened")];
    })
    .where(isAmong(db, "documents.id", ids))
    .where(where)
    .execute();
  return rows.map((row) => ({ ...row, label: `${row.name} ${row.number}`, group: row.users_access_group ?? everyone }));
};

const already = {
  archive: "It was in the archive already",
  restore: "It was not in the archive",
  exit: "It has exited already",
  reactivate: "It was in force already",
  prolong: "",
} satisfies Record<Action, string>;

function judge(action: Action, row: Row): Verdict {
  try {
    return transitions[action](row) ? undefined : skipped(already[action]);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { state: "refused", reason: error.message };
  }
}

/** A change of state, which the same act makes on the document's own page. */
const change = (action: Action, reverse: Act<Row>["reverse"] & object): Act<Row> => ({
  judge: (row) => judge(action, row),
  perform: (services, { caller }, id) => performAction(services, caller, id, action),
  reverse,
});

async function regroup(
  services: Services,
  { actor, caller }: Parameters<Act<Row>["perform"]>[1],
  id: number,
  group: string,
) {
  if (!(await findDocument(services.db, actor, id))) throw notFound();
  const document = await readDocument(services, actor, id);
  const form = updateDocument.body.parse({ ...document, users_access_group: group });
  await changeDocument(services, caller, id, form);
}

export const documents: RecordKind<Row> = {
  area: "docs",
  async matching({ db, now }, actor, filters, limit) {
    const query = parseFilters(listDocuments.query, filters);
    const list = await documentList(db, actor, query, { today: dateIn(actor.timezone, now()) });
    const ids: number[] = [];
    let after: Cursor | undefined;
    do {
      const { rows, next } = await list.part({ size: readAtOnce, after });
      ids.push(...rows.map(({ id }) => id));
      after = next;
    } while (after && ids.length < limit);
    return ids.slice(0, limit);
  },
  records: (db, actor, right, ids) => rowsOf(db, documentsWithin(actor, right), ids),
  acts: {
    archive: change("archive", { act: "restore" }),
    restore: change("restore", { act: "archive" }),
    exit: {
      ...change("exit", { act: "reactivate" }),
      takes: ["reason", "note"],
      perform(services, { caller }, id, { reason, note = "", withdrawal }) {
        const how = withdrawal ? { as: withdrawal } : { reason: reason ? Number(reason) : ("" as const), note };
        return performAction(services, caller, id, { action: "exit", ...how });
      },
    },
    reactivate: change("reactivate", {
      act: "exit",
      parametersFrom: ({ withdrawal_reason, withdrawal_text, withdrawal_note, replaced_by_id }) => ({
        withdrawal: { withdrawal_reason, withdrawal_text, withdrawal_note, replaced_by_id },
      }),
    }),
    prolong: {
      takes: ["allow"],
      judge: (row, { allow }) => judge("prolong", allow ? { ...row, prolongation: 1 } : row),
      perform: (services, { caller }, id, { allow }) =>
        performAction(services, caller, id, allow ? { action: "prolong", allows: true } : "prolong"),
      reverse: {
        act: "shorten",
        parametersFrom: ({ expire_date, prolongation }) => ({
          expire_date: expire_date ?? "",
          ...(!prolongation && { forbid: "true" }),
        }),
      },
    },
    group: {
      needs: "group",
      judge({ status, group }, { group: wanted }) {
        if (status === "archived")
          return { state: "refused", reason: "This document is in the archive: restore it first" };
        return wanted === group ? skipped("It was in this group already") : undefined;
      },
      perform: (services, who, id, { group = "" }) => regroup(services, who, id, group),
      reverse: { act: "group", parametersFrom: ({ group }) => ({ group }) },
    },
    remind: {
      judge({ recipients, unopened }) {
        if (!Number(recipients)) return skipped("It was sent to nobody");
        return Number(unopened) ? undefined : skipped("All its recipients have opened it");
      },
      perform: (services, { caller }, id) => remindDocument(services, caller, id),
    },
    // Reverses a prolongation, and is offered for nothing else.
    shorten: {
      judge: () => undefined,
      perform: (services, { caller }, id, { expire_date = "", forbid }) =>
        shortenTo(services, caller, id, { expire_date, ...(forbid && { prolongation: 0 }) }),
    },
  },
};
