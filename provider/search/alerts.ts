import { sql } from "kysely";
import type { Actor } from "../access.ts";
import { foundOfEach } from "../contract/search.ts";
import { alertNumberIn, alertRows, asAlert, readableAlerts } from "../alerts/alert-queries.ts";
import { isLongEnough, matchingIds } from "../documents/list/text-index.ts";
import { contains, isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";

/** The alerts of at most so many documents are found by the text index; those of a more common name are among the newest. */
const maxDocuments = 500;

/** How many of the newest alerts are searched by their documents' names. */
const newestAlerts = 1000;

/** The alert with this number, if the actor may see it. */
export async function numberedAlert(db: Db, actor: Actor, text: string) {
  const number = alertNumberIn(text);
  if (!number) return undefined;
  const alert = alertRows(db).where(readableAlerts(actor)).where("alerts.number", "=", number);
  const row = await alert.executeTakeFirst();
  return row && asAlert(row, actor);
}

/** The newest alerts whose documents have the text in their names, and whether older ones may. */
export async function findAlerts(db: Db, actor: Actor, q: string) {
  const documents = isLongEnough(q) ? await documentsNamed(db, actor, q) : undefined;
  if (documents?.length === 0) return { rows: [], isPartial: false };
  const matches = alertRows(db)
    .where(readableAlerts(actor))
    .where(contains("documents.name_key", q))
    .orderBy("alerts.date", "desc")
    .orderBy("alerts.id", "desc")
    .limit(foundOfEach + 1);
  const oldest = documents ? undefined : await oldestSearched(db, actor);
  const rows = await (
    documents
      ? matches.where(isAmong(db, "alerts.document_id", documents))
      : matches.$if(oldest !== undefined, (alerts) =>
          alerts.where(sql<boolean>`(alerts.date, alerts.id) >= (${oldest!.date}, ${oldest!.id})`),
        )
  ).execute();
  return {
    rows: rows.map((row) => asAlert(row, actor)),
    isPartial: oldest !== undefined && rows.length <= foundOfEach,
  };
}

/**
 * The ids of documents that hold all with the text in their names; undefined if these are many. Those with it in their
 * numbers count: if all of these have it and no name, the index of names alone would be read whole.
 */
async function documentsNamed(db: Db, { company_id: companyId }: Actor, text: string) {
  const match = { companyId, sides: ["list", "archive"] as const, texts: { name_or_number: text } };
  const ids = await matchingIds(db, match, maxDocuments + 1);
  return ids.length > maxDocuments ? undefined : ids;
}

/** The end of the company's newest alerts; undefined if there are no others. */
const oldestSearched = (db: Db, actor: Actor) =>
  db
    .selectFrom("alerts")
    .where("company_id", "=", actor.company_id)
    .orderBy("date", "desc")
    .orderBy("id", "desc")
    .offset(newestAlerts)
    .limit(1)
    .select(["date", "id"])
    .executeTakeFirst();
