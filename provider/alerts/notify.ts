import type { Kysely } from "kysely";
import { hoursInMs } from "#lib/units.ts";
import { alertsWithin, scopeOf } from "../access.ts";
import { completed } from "../contract/alerts.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { alertRows } from "./alert-queries.ts";
import type { Tables } from "../db/tables.ts";
import { alertsMessage } from "../mail/messages.ts";
import { isPending, enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/** Alerts that a message lists; the rest is counted. */
const maxListed = 20;

/** Mails new alerts to users who may complete them, to each once an hour at most. */
export async function notifyOfAlerts(services: Services, signal: AbortSignal) {
  for (const user of await usersToNotify(services)) {
    if (signal.aborted) return;
    try {
      await notifyUser(services, user);
    } catch (err) {
      services.log.error({ err, user: user.id }, "a user could not be notified of alerts");
    }
  }
}

/** A user, the number of the last alert that they were notified of, and of their company's newest. */
type PendingNotification = { id: number; alerts_told: number; newest: number };

/** Users whose company has newer alerts; the newest is looked up once for each company. */
const usersToNotify = ({ db }: Services): Promise<PendingNotification[]> =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("companies")
        .select("companies.id")
        .select((company) =>
          company
            .selectFrom("alerts")
            .whereRef("alerts.company_id", "=", "companies.id")
            .select((alerts) => alerts.fn.max("number").as("newest"))
            .as("newest"),
        )
        .as("companies"),
    )
    .innerJoin("users", "users.company_id", "companies.id")
    .whereRef("users.alerts_told", "<", "companies.newest")
    .select(["users.id", "users.alerts_told"])
    .select((eb) => eb.ref("companies.newest").$notNull().as("newest"))
    .execute();

async function notifyUser(services: Services, pending: PendingNotification) {
  const { db, now, publicUrl } = services;
  const { id, alerts_told, newest } = pending;
  const user = await actorRows(db)
    .where("users.id", "=", id)
    .where("users.password_hash", "is not", null)
    .select(["users.created_at", "alerts_told_at", "companies.name as company"])
    .executeTakeFirst();
  const actor = user && asActor(user);
  // A user without the right is marked, so that they get no old alerts when they have it.
  if (!actor || !scopeOf(actor, "alerts", "write")) return void (await markNotified(db, pending));
  const { alerts_told_at, created_at } = user;
  if (alerts_told_at && now().getTime() - Date.parse(alerts_told_at) < hoursInMs(1)) return;
  // While the mail server is unreachable the list grows, not the number of messages.
  if (await isPending(services, id, "alerts")) return;
  const unseen = alertRows(db)
    .where("alerts.company_id", "=", actor.company_id)
    .where("alerts.number", ">", alerts_told)
    .where("alerts.number", "<=", newest)
    .where("alerts.status", "<", completed)
    .where("alerts.date", ">=", created_at)
    .where(alertsWithin(actor, "write"));
  const listed = await unseen.orderBy("alerts.number").limit(maxListed).execute();
  const { count } = await unseen
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count === 0) return void (await markNotified(db, pending));
  await db.transaction().execute(async (transaction) => {
    // Of several processes the first one sends.
    if (!(await markNotified(transaction, pending, now().toISOString()))) return;
    await enqueueMessage(services, transaction, alertsMessage(user, listed, count, publicUrl), {
      userId: id,
      kind: "alerts",
    });
  });
  services.nudgeMail();
}

/** Marks a user as notified; with the time if a message is sent. Returns false if another process did. */
async function markNotified(
  db: Kysely<Tables>,
  { id, alerts_told, newest }: PendingNotification,
  alerts_told_at?: string,
) {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ alerts_told: newest, ...(alerts_told_at && { alerts_told_at }) })
    .where("id", "=", id)
    .where("alerts_told", "=", alerts_told)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
