import { z } from "zod";
import { call } from "./call.ts";
import { expiringDays } from "./document-options.ts";
import { instant } from "./fields.ts";

/** When documents expire: a month at a time, and as an iCalendar feed at a secret address. */

/** More documents of one day are not counted. */
export const countedADay = 1000;
/** How many documents of a day are named. */
export const namedADay = 3;
/** The largest number of documents in a feed, from today on. */
export const feedLimits = { months: 12, events: 2000 };

const readAccess = { area: "docs", right: "read" } as const;

export const CalendarMonth = z
  .object({
    month: z.string().meta({ description: "YYYY-MM" }),
    today: z.string().meta({ description: "Today in the company’s time zone, YYYY-MM-DD" }),
    days: z.array(
      z.object({
        date: z.string().meta({ description: "YYYY-MM-DD" }),
        documents: z.int().meta({ description: `How many expire, ${countedADay} at most` }),
        is_capped: z.boolean().default(false).meta({ description: "Whether there are more" }),
        first: z
          .array(z.object({ id: z.int(), name: z.string(), number: z.string() }))
          .meta({ description: `${namedADay} of them` }),
      }),
    ),
  })
  .meta({ id: "CalendarMonth", description: "The days of a month on which documents expire" });
export type CalendarMonth = z.output<typeof CalendarMonth>;

export const getCalendar = call({
  method: "GET",
  path: "/calendar",
  summary: "Which documents of the list expire in a month, and are not withdrawn, within the user's rights",
  access: readAccess,
  query: z.object({
    month: z
      .string()
      .regex(/^(19|[2-9]\d)\d\d-(0[1-9]|1[0-2])$/, "Give the month as YYYY-MM")
      .optional()
      .meta({ description: "YYYY-MM; this month if omitted" }),
  }),
  reply: CalendarMonth,
  status: 200,
});

export const countExpiring = call({
  method: "GET",
  path: "/calendar/expiring",
  summary: `How many documents of the list expire within ${expiringDays} days, and are not withdrawn, within the user's rights`,
  access: readAccess,
  reply: z
    .object({
      documents: z.int().meta({ description: "10,000 at most" }),
      is_capped: z.boolean().default(false).meta({ description: "Whether there are more" }),
    })
    .meta({ id: "ExpiringCount", description: "How many documents expire soon" }),
  status: 200,
});

const CalendarFeed = z
  .object({ created_at: instant.nullable().meta({ description: "When its address was made; null without one" }) })
  .meta({ id: "CalendarFeed", description: "The user's own iCalendar feed" });

export const getCalendarFeed = call({
  method: "GET",
  path: "/calendar/feed",
  summary: "Whether the user has an iCalendar feed",
  access: "signed-in",
  reply: CalendarFeed,
  status: 200,
});

export const createCalendarFeed = call({
  method: "POST",
  path: "/calendar/feed",
  summary: "Make a secret address of the user's iCalendar feed; an earlier one ends",
  access: readAccess,
  // Its secret would outlive the key.
  keys: false,
  reply: CalendarFeed.extend({
    address: z.string().meta({ description: "Secret, and given this once; calendars subscribe to it" }),
  }).meta({ id: "NewCalendarFeed", description: "A new iCalendar feed with its secret address" }),
  status: 201,
});

export const removeCalendarFeed = call({
  method: "DELETE",
  path: "/calendar/feed",
  summary: "End the user's iCalendar feed, if there is one",
  access: "signed-in",
  reply: null,
  status: 204,
});

export const calendarType = "text/calendar; charset=utf-8";

export const readCalendarFeed = call({
  method: "GET",
  path: "/calendar/{secret}",
  summary: "A user's iCalendar feed (RFC 5545), by their rights of now: what expires within 12 months, 2,000 at most",
  access: "public",
  params: z.object({
    secret: z
      .string()
      .regex(/^[\w-]{43}$/)
      .meta({ description: "The end of the address, without .ics" }),
  }),
  reply: { mediaTypes: [calendarType] },
  status: 200,
  refusals: [429],
});
