import { sql } from "kysely";
import { scopeOf } from "../access.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { addDays, dateIn } from "../calendar/calendar.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { remindersMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/**
 * Reminds owners of documents with prolongation 30, 7 and 1 days before they expire (`docs/open-points.md`), by the
 * company's calendar. After an outage only the most urgent reminder is sent.
 */

const reminderDays = [30, 7, 1] as const;
const [first, second, third] = reminderDays;

/** SQL: the reminder that a document is due for on a date. */
const dueOn = (date: string) => {
  const isWithin = (n: number) => sql`documents.expire_date <= ${addDays(date, n)}`;
  const [one, two, three] = reminderDays.map((n) => sql.lit(n));
  return sql<number>`case when ${isWithin(third)} then ${three} when ${isWithin(second)} then ${two} else ${one} end`;
};

/** Documents in one message. */
const maxListed = 50;

/** Sends due reminders to active owners. */
export async function sendReminders(services: Services, signal: AbortSignal) {
  const { db, now, nudgeMail } = services;
  const companies = await db.selectFrom("companies").where("active", "=", TRUE).select(["id", "timezone"]).execute();
  for (const { id, timezone } of companies) {
    const date = dateIn(timezone, now());
    const owners = await dueDocuments(db, id, date).select("owner_id").distinct().execute();
    for (const { owner_id } of owners) {
      // Each round marks the documents that it lists.
      while (!signal.aborted && (await sendReminder(services, owner_id, id, date))) {
        nudgeMail();
      }
    }
  }
}

/** A company's documents that are due for a reminder, of active owners. */
const dueDocuments = (db: Db, companyId: number, date: string) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .where("users.active", "=", TRUE)
    .where("documents.company_id", "=", companyId)
    .where("documents.status", "=", "active")
    .where("documents.prolongation", "=", sql.lit(1))
    .where("documents.expire_date", ">=", date)
    .where("documents.expire_date", "<=", addDays(date, first))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("reminders")
            .whereRef("reminders.document_id", "=", "documents.id")
            .whereRef("reminders.expire_date", "=", "documents.expire_date")
            .where("reminders.days", "=", dueOn(date))
            .select("days"),
        ),
      ),
    );

/** Reminds an owner of some documents and marks them. Returns false if none is due. */
async function sendReminder(services: Services, ownerId: number, companyId: number, date: string): Promise<boolean> {
  const { db, publicUrl } = services;
  return db.transaction().execute(async (transaction) => {
    const due = await dueDocuments(transaction, companyId, date)
      .where("owner_id", "=", ownerId)
      .select(["documents.id", "documents.name", "number"])
      .select((eb) => [eb.ref("expire_date").$notNull().as("expire_date"), dueOn(date).as("days")])
      .orderBy("expire_date")
      .orderBy("documents.id")
      .limit(maxListed)
      .execute();
    if (due.length === 0) return false;
    const rows = due.map(({ id, expire_date, days }) => ({ document_id: id, expire_date, days }));
    const marked = transaction
      .insertInto("reminders")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing());
    const markedNow = new Set((await marked.returning("document_id").execute()).map(({ document_id }) => document_id));
    // Another process may have marked some at the same time.
    const listed = due.filter(({ id }) => markedNow.has(id));
    const owner = await actorRows(transaction).where("users.id", "=", ownerId).executeTakeFirst();
    if (listed.length > 0 && owner && scopeOf(asActor(owner), "docs", "read")) {
      await enqueueMessage(services, transaction, remindersMessage(owner, listed, publicUrl), { userId: ownerId });
    }
    return true;
  });
}

/** Marks the reminders whose day has passed when a document gets its expire date, in the same transaction. */
export async function markPastReminders(db: Db, documentId: number, expire_date: string | null, date: string) {
  const past = reminderDays.filter((n) => expire_date !== null && expire_date <= addDays(date, n));
  if (past.length === 0) return;
  const rows = past.map((days) => ({ document_id: documentId, expire_date: expire_date!, days }));
  const marked = db.insertInto("reminders").values(rows);
  await marked.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Deletes the marks of past expire dates. */
export async function deletePastReminders({ db, now }: Services) {
  // In every time zone it is yesterday or later.
  const before = addDays(dateIn("UTC", now()), -1);
  await db.deleteFrom("reminders").where("expire_date", "<", before).execute();
}
