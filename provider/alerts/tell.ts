import { alertsWithin, reachOf } from "../access.ts";
import { completed } from "../contract/alerts.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { alertRows } from "../db/alerts.ts";
import { alertsMessage } from "../mail/messages.ts";
import type { Services } from "../services.ts";
import { hours } from "../time.ts";

/** How many alerts a message lists; of more it tells how many. */
const mostListed = 20;

/** Writes to those who deal with alerts what has come since they were last told; to each once an hour at most. */
export async function tellOfAlerts(services: Services) {
  for (const user of await thoseBehind(services)) {
    try {
      await tell(services, user);
    } catch (err) {
      services.log.error({ err, user: user.id }, "somebody could not be told of alerts");
    }
  }
}

type Behind = { id: number; newest: number };

/** Everybody whose company has newer alerts than they know of, with the newest one's number. */
async function thoseBehind({ db }: Services): Promise<Behind[]> {
  const rows = await db
    .selectFrom("users")
    .select(["users.id", "alerts_told"])
    .select((eb) =>
      eb
        .selectFrom("alerts")
        .whereRef("alerts.company_id", "=", "users.company_id")
        .select((alerts) => alerts.fn.max("number").as("newest"))
        .as("newest"),
    )
    .execute();
  return rows.flatMap(({ id, newest, alerts_told }) => (newest && newest > alerts_told ? [{ id, newest }] : []));
}

async function tell(services: Services, { id, newest }: Behind) {
  const { db, now, mail, log, publicUrl } = services;
  const user = await actorRows(db)
    .where("users.id", "=", id)
    .where("users.password_hash", "is not", null)
    .select(["users.created_at", "alerts_told", "alerts_told_at", "companies.name as company"])
    .executeTakeFirst();
  const actor = user && asActor(user);
  // Who may deal with alerts from now on is told of those that come from now on.
  if (!actor || !reachOf(actor, "alerts", "write")) return void (await note(services, id, newest));
  const { alerts_told, alerts_told_at, created_at } = user;
  if (alerts_told_at && now().getTime() - Date.parse(alerts_told_at) < hours(1)) return;
  const came = alertRows(db)
    .where("alerts.company_id", "=", actor.company_id)
    .where("alerts.number", ">", alerts_told)
    .where("alerts.number", "<=", newest)
    .where("alerts.status", "<", completed)
    .where("alerts.date", ">=", created_at)
    .where(alertsWithin(actor, "write"));
  const listed = await came.orderBy("alerts.number").limit(mostListed).execute();
  const { count } = await came
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const at = count > 0 ? now().toISOString() : alerts_told_at;
  // Another machine may be at it as well: whichever comes first writes.
  const isMine = await note(services, id, newest, { before: alerts_told, at });
  if (count === 0 || !isMine) return;
  try {
    await mail.send(alertsMessage(user, listed, count, publicUrl));
  } catch (err) {
    log.error({ err, user: id }, "a message about alerts could not be sent, and is tried again in an hour");
    await db.updateTable("users").set({ alerts_told }).where("id", "=", id).execute();
  }
}

/** Notes up to which alert somebody knows. False where somebody else has done so since `before` was read. */
async function note({ db }: Services, id: number, newest: number, known?: { before: number; at: string | null }) {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ alerts_told: newest, ...(known && { alerts_told_at: known.at }) })
    .where("id", "=", id)
    .$if(known !== undefined, (update) => update.where("alerts_told", "=", known!.before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
