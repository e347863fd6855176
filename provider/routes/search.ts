import { type Actor, branchesWithin, documentsWithin, usersWithin } from "../access.ts";
import { dateIn } from "../calendar.ts";
import { foundOfEach, search, shortestSearch } from "../contract/search.ts";
import { alertRows, asAlert, readableAlerts } from "../db/alerts.ts";
import { asBranch, branchRows } from "../db/branches.ts";
import { documentList } from "../db/document-list/index.ts";
import { asRow } from "../db/documents.ts";
import { contains, isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { asUser, userRows } from "../db/users.ts";
import { readCode } from "../documents/codes.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { fold } from "#storage/text.ts";

export function serveSearch(on: On, { db, now }: Services) {
  on(search, async ({ actor, query: { q = "" } }) => {
    const nothing = { exact: null, documents: [], users: [], branches: [], alerts: [], help: [] };
    if (q === "") return nothing;
    const exact = await findExact(db, actor, q);
    if ([...q].length < shortestSearch) return { ...nothing, exact };
    const today = dateIn(actor.timezone, now());
    const documents = await findDocuments(db, actor, { q, today });
    const ids = documents.map(({ id }) => id);
    const [users, branches, alerts, help] = await Promise.all([
      findUsers(db, actor, q),
      findBranches(db, actor, q),
      findAlerts(db, actor, q, ids),
      findHelp(db, q),
    ]);
    return { exact, documents, users, branches, alerts, help };
  });
}

/** The id of the document whose number or code the text is; null where there is none that the actor may see. */
async function findExact(db: Db, actor: Actor, q: string) {
  const code = readCode(q);
  const visible = db.selectFrom("documents").select("documents.id").where(documentsWithin(actor, "read"));
  const byNumber = await visible.where("documents.number_key", "=", fold(q)).executeTakeFirst();
  const found = byNumber ?? (code && (await visible.where("documents.code", "=", code).executeTakeFirst()));
  return found ? found.id : null;
}

async function findDocuments(db: Db, actor: Actor, { q, today }: { q: string; today: string }) {
  const lists = await Promise.all([
    documentList(db, actor, { name: q }, { today }),
    documentList(db, actor, { number: q }, { today }),
  ]);
  const parts = await Promise.all(lists.map((list) => list.part({ size: foundOfEach })));
  const rows = new Map(parts.flatMap((part) => part.rows).map((row) => [row.id, row]));
  return [...rows.values()].slice(0, foundOfEach).map((row) => asRow(row, today));
}

async function findUsers(db: Db, actor: Actor, q: string) {
  const rows = await userRows(db)
    .where("users.active", "=", 1)
    .where(usersWithin(actor, "users", "read"))
    .where((eb) => eb.or([contains("users.name_key", q), contains("users.email", q)]))
    .orderBy("users.name_key")
    .orderBy("users.id")
    .limit(foundOfEach)
    .execute();
  return rows.map(asUser);
}

async function findBranches(db: Db, actor: Actor, q: string) {
  const rows = await branchRows(db)
    .where(branchesWithin(actor, "read"))
    .where(contains("branches.name_key", q))
    .orderBy("branches.name_key")
    .orderBy("branches.id")
    .limit(foundOfEach)
    .execute();
  return rows.map(asBranch);
}

/** Of the documents found: reading the names of all alerts' documents would take longer with every alert. */
async function findAlerts(db: Db, actor: Actor, q: string, documents: number[]) {
  const number = /^AL-(\d{6,9})$/i.exec(q.trim())?.[1];
  const rows = await alertRows(db)
    .where(readableAlerts(actor))
    .where((eb) => (number ? eb("alerts.number", "=", Number(number)) : isAmong(db, "alerts.document_id", documents)))
    .orderBy("alerts.date", "desc")
    .orderBy("alerts.id", "desc")
    .limit(foundOfEach)
    .execute();
  return rows.map((row) => asAlert(row, actor));
}

const findHelp = (db: Db, q: string) =>
  db
    .selectFrom("help_items")
    .selectAll()
    .where((eb) => eb.or([contains("question", q), contains("answer", q)]))
    .orderBy("id")
    .limit(foundOfEach)
    .execute();
