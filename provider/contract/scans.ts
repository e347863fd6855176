import { z } from "zod";
import { call } from "./call.ts";
import { filter, flag, idParams, isoDate, listQuery } from "./fields.ts";

const measure = (description: string) => z.number().nullable().default(null).meta({ description });

export const Scan = z
  .object({
    id: z.int(),
    document_id: z.int(),
    number: z.string().meta({ description: "Of the document" }),
    branch: z.string().default("").meta({ description: "The document's" }),
    index: z.string().default("").meta({ description: "Post code of that branch" }),
    at: z.string().meta({ description: "ISO-8601, UTC" }),
    latitude: measure("Degrees north; to about a kilometre for those who may not write alerts"),
    longitude: measure("Degrees east"),
    accuracy: measure("Metres"),
    place: z
      .string()
      .default("")
      .meta({ description: "Town or post code, as whoever scanned typed it; for those who may write alerts" }),
    place_quality: z
      .enum(["", "measured", "typed", "doubtful"])
      .default("")
      .meta({
        description:
          "How the place is known: as a device measured it, or as words that were typed; doubtful without an accuracy, " +
          "or from a network that gave others far away on that day; empty without a place",
      }),
    place_is_removable: z
      .boolean()
      .default(false)
      .meta({ description: "Whether there is a place that the caller may remove" }),
    suspicion: z.boolean().meta({ description: "Whether an alert came of it" }),
    staff: z.boolean().meta({ description: "Made by the company's own staff; rules leave it out" }),
    complaint: z.string().default("").meta({ description: "What whoever scanned reports" }),
    contact: z.string().default("").meta({ description: "How to answer; for those who may write alerts" }),
    alert_id: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "The first alert that it is behind, where the caller may read it" }),
  })
  .meta({ id: "Scan", description: "One scan of a document's code" });
export type Scan = z.output<typeof Scan>;

export const listAlertScans = call({
  method: "GET",
  path: "/alerts/{id}/scans",
  summary: "The scans behind an alert, the newest first; the first hundred of a flood",
  access: { area: "alerts", right: "read" },
  params: idParams,
  reply: z.array(Scan),
  status: 200,
});

/** How many days the dashboard looks back over, today included. */
export const dashboardDays = 14;

export const Activity = z
  .object({
    days: z
      .array(z.object({ day: z.string(), scans: z.int(), alerts: z.int() }))
      .meta({ description: "Each of the last 14 days where the company is, today the last" }),
    scans_before: z.int().meta({ description: "In the 14 days before those" }),
    scans_by_staff: z.int().meta({ description: "Among those of the 14 days" }),
    alerts_open: z.int(),
    documents: z.int().meta({ description: "Issued in the 14 days, by their date" }),
    documents_before: z.int(),
  })
  .meta({ id: "Activity", description: "What the dashboard shows of the last 14 days" });
export type Activity = z.output<typeof Activity>;

export const dailyScans = call({
  method: "GET",
  path: "/scans/daily",
  summary: "Scans and alerts a day, as far as the caller may read alerts",
  access: { area: "alerts", right: "read" },
  reply: Activity,
  status: 200,
});

/** A part of the earth's surface between meridians and parallels. */
export const Bounds = z
  .object({
    west: z.number().meta({ description: "Degrees east" }),
    south: z.number().meta({ description: "Degrees north" }),
    east: z.number(),
    north: z.number(),
  })
  .meta({ id: "Bounds" });
export type Bounds = z.output<typeof Bounds>;

const degrees = z
  .string()
  .regex(/^ *-?\d+(\.\d+)? *$/)
  .transform(Number);
const sides = z.tuple([degrees, degrees, degrees, degrees]);

/** Maps that are moved beyond the date line ask for more than there is: what there is of it is meant. */
const within = (most: number, value: number) => Math.min(Math.max(value, -most), most);

/** A part of the map as it is asked for. */
const bbox = z
  .string()
  .transform((written, context): Bounds => {
    const [west, south, east, north] = sides.safeParse(written.split(",")).data ?? [0, 0, 0, 0];
    const bounds = {
      west: within(180, west),
      south: within(90, south),
      east: within(180, east),
      north: within(90, north),
    };
    if (!(bounds.west < bounds.east && bounds.south < bounds.north)) {
      context.addIssue({ code: "custom", message: "Give west,south,east,north in degrees" });
    }
    return bounds;
  })
  .optional()
  .meta({ type: "string", description: "west,south,east,north in degrees" });

const scanKinds = ["scans", "suspicions"] as const;

/** Which scans are asked for. */
const scanFilters = {
  number: filter.meta({ description: "Of the document" }),
  date_from: filter.meta({ description: "From this date on, where the company is" }).transform(asDate),
  date_to: filter.meta({ description: "Up to this date" }).transform(asDate),
  index: filter.meta({ description: "Post code of the document's branch" }),
  branch: filter.meta({ description: "Exact" }),
  kind: filter
    .transform((names) => scanKinds.filter((kind) => names?.split(",").includes(kind)))
    .meta({
      type: "string",
      description: "scans (of which no alert came), suspicions, or both with a comma; else both",
    }),
  bbox,
};

function asDate(written: string | undefined) {
  return written && isoDate(written);
}

const readMap = { area: "map", right: "read" } as const;

export const listScans = call({
  method: "GET",
  path: "/scans",
  summary: "The scans whose place was told, as a position or in words, as far as the caller may read the map",
  access: readMap,
  query: listQuery(["at"]).extend({
    ...scanFilters,
    // Strangers add to this list: nobody gets it whole.
    page: listQuery([]).shape.page.default(1),
  }),
  reply: z.array(Scan),
  status: 200,
});

export const removeScanPlace = call({
  method: "DELETE",
  path: "/scans/{id}/place",
  summary: "Remove where a scan was made, which may be made up; the scan itself stays",
  access: { area: "alerts", right: "write" },
  params: idParams,
  query: z.object({
    network: flag.meta({ description: "1: also the places of its document that the same network told on that day" }),
  }),
  reply: null,
  status: 204,
});

/** How many scans a map takes into account, the newest. */
export const mostPlaces = 20_000;
/** How many of them a map can be given one by one. */
const mostPoints = 10_000;

/** A scan as far as a map tells of it. */
export const ScanPoint = Scan.omit({
  index: true,
  place: true,
  place_is_removable: true,
  complaint: true,
  contact: true,
}).meta({ id: "ScanPoint" });
export type ScanPoint = z.output<typeof ScanPoint>;

export const ScanPlaces = z
  .object({
    count: z.int().meta({ description: `Scans with a position that the filters leave, ${mostPlaces} at most` }),
    is_capped: z.boolean().meta({ description: "Whether there are older ones, which are left out" }),
    bounds: Bounds.nullable().meta({ description: "What all of them lie within; null where there are none" }),
    points: z.array(ScanPoint).meta({ description: "Each of them, where they are no more than `points` asks for" }),
    cells: z
      .array(
        z.object({
          latitude: z.number().meta({ description: "Degrees north; where its scans are on average" }),
          longitude: z.number().meta({ description: "Degrees east" }),
          scans: z.int().meta({ description: "How many lie in it" }),
          suspicions: z.int().meta({ description: "How many of those are behind alerts" }),
          bounds: Bounds.meta({ description: "What they lie within" }),
        }),
      )
      .meta({ description: "Those that lie close to each other taken together, where there are more" }),
  })
  .meta({ id: "ScanPlaces", description: "What a map of scans shows" });
export type ScanPlaces = z.output<typeof ScanPlaces>;

export const scanPlaces = call({
  method: "GET",
  path: "/scans/places",
  summary: "Where scans were made, each by itself or, where there are many, by cell",
  access: readMap,
  query: z.object({
    ...scanFilters,
    points: z.coerce
      .number<string>()
      .int()
      .min(0)
      .max(mostPoints)
      .default(mostPoints)
      .meta({ type: "integer", description: "How many single points are wished for at most" }),
  }),
  reply: ScanPlaces,
  status: 200,
});
