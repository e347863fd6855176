import { hash, randomBytes } from "node:crypto";
import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";
import { daysInSeconds, hoursInSeconds } from "#lib/units.ts";
import { type Actor, type Caller, mayCall } from "../access.ts";
import { dateIn, dayMonthYear } from "./calendar.ts";
import type { AuditAction } from "../contract/audit.ts";
import { calendarType, getCalendar } from "../contract/calendar.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { audit } from "../audit/audit-queries.ts";
import { expiringForFeed } from "../documents/list/expiring.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { Services } from "../services.ts";

/** A user's iCalendar feed. Its address is a secret of 256 bits; only the hash is stored. */

const hashOf = (secret: string) => hash("sha256", `calendar ${secret}`, "hex");

/** When a user's feed was made; null without one. */
export const feedOf = async (db: Db, userId: number) => {
  const feed = db.selectFrom("calendar_feeds").where("user_id", "=", userId).select("created_at");
  return { created_at: (await feed.executeTakeFirst())?.created_at ?? null };
};

/** Makes a feed with a new secret, and ends an earlier one. */
export const createFeed = (services: Services, caller: Caller) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const secret = randomBytes(32).toString("base64url");
    const created_at = services.now().toISOString();
    await db.deleteFrom("calendar_feeds").where("user_id", "=", actor.id).execute();
    await db
      .insertInto("calendar_feeds")
      .values({ user_id: actor.id, hash: hashOf(secret), created_at })
      .execute();
    await auditFeed(db, services, actor, "calendar address made");
    return { created_at, address: `${services.publicUrl}/calendar/${secret}.ics` };
  });

/** Ends a user's feed, if there is one. */
export const removeFeed = (services: Services, caller: Caller): Promise<void> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { numDeletedRows } = await db
      .deleteFrom("calendar_feeds")
      .where("user_id", "=", actor.id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await auditFeed(db, services, actor, "calendar address removed");
  });

const auditFeed = (db: Db, { now }: Services, actor: Actor, action: AuditAction) =>
  audit(db, { actor, action, subject: { entity: "user", id: actor.id, name: actor.name }, at: now() });

/** The user of a secret, with their rights of now; undefined if they may no longer read documents. */
export async function actorOfFeed(db: Db, secret: string): Promise<Actor | undefined> {
  const row = await actorRows(db)
    .innerJoin("calendar_feeds", "calendar_feeds.user_id", "users.id")
    .where("calendar_feeds.hash", "=", hashOf(secret))
    .executeTakeFirst();
  const actor = row && asActor(row);
  return actor && mayCall(getCalendar.access, actor) ? actor : undefined;
}

/** At nine in the morning, a week before. */
const alarmBefore = daysInSeconds(7) - hoursInSeconds(9);

/** A user's feed: an event of a whole day for each document that expires. The same bytes until something changes. */
export async function feedReply({ db, publicUrl, now }: Services, actor: Actor): Promise<Response> {
  const documents = await expiringForFeed(db, actor, dateIn(actor.timezone, now()));
  const calendar = ical({
    name: "Sealdesk: what expires",
    prodId: { company: "Sealdesk", product: "Documents", language: "EN" },
    ttl: hoursInSeconds(12),
  });
  const { host } = new URL(publicUrl);
  for (const { id, name, number, document_type, expire_date, created_at } of documents) {
    const url = `${publicUrl}/documents/${id}`;
    const summary = `${number} expires: ${name}`;
    const event = calendar.createEvent({
      id: `document-${id}-expires@${host}`,
      // Its day in UTC is written.
      start: new Date(`${expire_date}T00:00:00Z`),
      allDay: true,
      stamp: new Date(created_at),
      summary,
      description: `${document_type} ${number}, ${name}, expires on ${dayMonthYear(expire_date)}.`,
      url,
      transparency: ICalEventTransparency.TRANSPARENT,
    });
    event.createAlarm({ type: ICalAlarmType.display, triggerBefore: alarmBefore, description: summary });
  }
  const content = `${calendar.toString()}\r\n`;
  const etag = `"${hash("sha256", content, "base64url")}"`;
  return new Response(content, {
    headers: { "content-type": calendarType, etag, "cache-control": "private, max-age=900" },
  });
}
