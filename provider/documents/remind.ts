import { type Kysely, sql } from "kysely";
import { scopeOf } from "../access.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { addDays, dateIn } from "../calendar.ts";
import type { Tables } from "../db/tables.ts";
import { remindersMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/**
 * Reminders that documents meant to be prolonged expire, to their owners (`docs/open-points.md`): once for each expire
 * date at 30, 7 and 1 days before it, by the company's calendar. Of those that nobody was there to send in time, the
 * most urgent is sent and the ones that it overtook are not.
 */

type Db = Kysely<Tables>;

/** How many days before, the first reminder first. */
const reminderDays = [30, 7, 1] as const;
const [first, second, third] = reminderDays;

/** Which reminder a document is due for on a date, as SQL: that of the fewest days which are not fewer than it has left. */
const dueOn = (date: string) => {
  const isWithin = (n: number) => sql`documents.expire_date <= ${addDays(date, n)}`;
  const [one, two, three] = reminderDays.map((n) => sql.lit(n));
  return sql<number>`case when ${isWithin(third)} then ${three} when ${isWithin(second)} then ${two} else ${one} end`;
};

/** How many documents one message names. */
const maxListed = 50;

/** Writes the reminders that are due to the owners who are still there. */
export async function sendReminders(services: Services, signal: AbortSignal) {
  const { db, now, nudgeMail } = services;
  const companies = await db.selectFrom("companies").where("active", "=", 1).select(["id", "timezone"]).execute();
  for (const { id, timezone } of companies) {
    const date = dateIn(timezone, now());
    const owners = await dueDocuments(db, id, date).select("owner_id").distinct().execute();
    for (const { owner_id } of owners) {
      // Each time round notes what it tells, so that there is less of it.
      while (!signal.aborted && (await sendReminder(services, owner_id, id, date))) nudgeMail();
    }
  }
}

/** A company's documents that are due for a reminder, those of owners who were removed aside. */
const dueDocuments = (db: Db, companyId: number, date: string) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .where("users.active", "=", 1)
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

/** Reminds an owner of some documents, and notes it. False where there are none. */
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
    const notes = due.map(({ id, expire_date, days }) => ({ document_id: id, expire_date, days }));
    const noted = transaction
      .insertInto("reminders")
      .values(notes)
      .onConflict((conflict) => conflict.doNothing());
    const isFirst = new Set((await noted.returning("document_id").execute()).map(({ document_id }) => document_id));
    // Another machine may be at it as well: whichever comes first writes.
    const told = due.filter(({ id }) => isFirst.has(id));
    const owner = await actorRows(transaction).where("users.id", "=", ownerId).executeTakeFirst();
    if (told.length > 0 && owner && scopeOf(asActor(owner), "docs", "read")) {
      await enqueueMessage(services, transaction, remindersMessage(owner, told, publicUrl), { userId: ownerId });
    }
    return true;
  });
}

/**
 * Called when a document gets an expire date: what is nearer already than a reminder would be needs none, as whoever
 * set the date knows. `db` is the transaction that sets it.
 */
export async function markPastReminders(db: Db, documentId: number, expire_date: string | null, date: string) {
  const overtaken = reminderDays.filter((n) => expire_date !== null && expire_date <= addDays(date, n));
  if (overtaken.length === 0) return;
  const notes = overtaken.map((days) => ({ document_id: documentId, expire_date: expire_date!, days }));
  const noted = db.insertInto("reminders").values(notes);
  await noted.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Forgets what was noted of expire dates that are over. */
export async function deletePastReminders({ db, now }: Services) {
  // Wherever the company is, its day is at most one behind.
  const before = addDays(dateIn("UTC", now()), -1);
  await db.deleteFrom("reminders").where("expire_date", "<", before).execute();
}
