import { type Actor, alertsWithin } from "../access.ts";
import { completed } from "../contract/alerts.ts";
import { areas, type Permissions } from "../contract/permissions.ts";
import { alertRows } from "../db/alerts.ts";
import { alertsMessage } from "../mail/messages.ts";
import type { Services } from "../services.ts";
import { hours } from "../time.ts";

/** How many alerts a message lists; of more it tells how many. */
const most = 20;

/** Writes to those who deal with alerts what has come since they were last told; to each once an hour at most. */
export async function tellOfAlerts(services: Services) {
  for (const user of await toBeTold(services)) await tell(services, user);
}

type User = Awaited<ReturnType<typeof toBeTold>>[number];

/** Those who may change alerts, who were told long enough ago, and whose company has alerts that came since. */
async function toBeTold({ db, now }: Services) {
  const anHourAgo = new Date(now().getTime() - hours(1)).toISOString();
  return db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .where("users.active", "=", 1)
    .where("companies.active", "=", 1)
    .where("users.password_hash", "is not", null)
    .where("access_groups.alerts", "like", "%W%")
    .where((eb) => eb.or([eb("alerts_told_at", "is", null), eb("alerts_told_at", "<=", anHourAgo)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("alerts")
          .whereRef("alerts.company_id", "=", "users.company_id")
          .whereRef("alerts.number", ">", "users.alerts_told")
          .select("alerts.id"),
      ),
    )
    .select(["users.id", "users.company_id", "users.branch_id", "users.access_group_id", "users.name", "users.email"])
    .select(["users.created_at", "alerts_told", "alerts_told_at", "companies.timezone", "companies.name as company"])
    .select(areas.map((area) => `access_groups.${area}` as const))
    .execute();
}

async function tell({ db, mail, log, publicUrl, now }: Services, user: User) {
  const { alerts_told, alerts_told_at } = user;
  const permissions = Object.fromEntries(areas.map((area) => [area, user[area]])) as Permissions;
  const actor: Actor = { ...user, permissions };
  const sinceThen = alertRows(db)
    .where("alerts.company_id", "=", user.company_id)
    .where("alerts.number", ">", alerts_told);
  const newest = await sinceThen.orderBy("alerts.number", "desc").executeTakeFirstOrThrow();
  const came = await sinceThen
    .where("alerts.number", "<=", newest.number)
    .where("alerts.status", "<", completed)
    // What came before them is no news to them.
    .where("alerts.date", ">=", user.created_at)
    .where(alertsWithin(actor, "write"))
    .orderBy("alerts.number")
    .execute();
  const at = came.length > 0 ? now().toISOString() : alerts_told_at;
  const claim = db
    .updateTable("users")
    .set({ alerts_told: newest.number, alerts_told_at: at })
    .where("id", "=", user.id);
  // Another machine may be at it as well: whichever comes first writes.
  const { numUpdatedRows } = await claim.where("alerts_told", "=", alerts_told).executeTakeFirst();
  if (came.length === 0 || numUpdatedRows === 0n) return;
  try {
    await mail.send(alertsMessage(user, came.slice(0, most), came.length, publicUrl));
  } catch (err) {
    log.error({ err, user: user.id }, "a message about alerts could not be sent, and is tried again in an hour");
    await db.updateTable("users").set({ alerts_told }).where("id", "=", user.id).execute();
  }
}
