import { dateIn } from "./calendar.ts";
import {
  countExpiring,
  createCalendarFeed,
  getCalendar,
  getCalendarFeed,
  readCalendarFeed,
  removeCalendarFeed,
} from "../contract/calendar.ts";
import { countExpiringSoon, expiringIn } from "../documents/list/expiring.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { actorOfFeed, createFeed, feedOf, feedReply, removeFeed } from "./calendar-feed.ts";

/** When documents expire. */
export function serveCalendar(on: On, services: Services) {
  const { db, now } = services;
  // Secrets can't be guessed; this saves the work of trying.
  const unknown = limitByNetwork(services, "calendar_unknown");
  const readers = limitByNetwork(services, "calendar_address");
  const ofUser = limitByKey(services, "calendar_feed");

  on(getCalendar, async ({ actor, query }) => {
    const today = dateIn(actor.timezone, now());
    const month = query.month ?? today.slice(0, 7);
    return { month, today, days: await expiringIn(db, actor, month) };
  });

  on(countExpiring, ({ actor }) => countExpiringSoon(db, actor, dateIn(actor.timezone, now())));

  on(getCalendarFeed, ({ actor }) => feedOf(db, actor.id));
  on(createCalendarFeed, ({ caller }) => createFeed(services, caller));
  on(removeCalendarFeed, ({ caller }) => removeFeed(services, caller));

  on(readCalendarFeed, async ({ params, networks }) => {
    await readers.count(networks);
    const actor = await actorOfFeed(db, params.secret);
    if (!actor) {
      await unknown.count(networks);
      throw notFound();
    }
    await ofUser.count(String(actor.id));
    return feedReply(services, actor);
  });
}
