import { z } from "zod";
import { call } from "./call.ts";
import { filter, idParams, isoDate, listQuery } from "./fields.ts";

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
    place: z.string().default("").meta({ description: "Town or post code, as whoever scanned typed it" }),
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

const box = ["west", "south", "east", "north"] as const;
const degreesOfBox = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()]);

/** A part of the earth's surface between meridians and parallels, in degrees. */
export const Bounds = z
  .object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })
  .meta({ id: "Bounds" });
export type Bounds = z.output<typeof Bounds>;

/** `west,south,east,north` in degrees. */
const bbox = z
  .string()
  .transform((written, context): Bounds => {
    const [west, south, east, north] = degreesOfBox.safeParse(written.split(",")).data ?? [0, 0, 0, 0];
    if (!(west < east && south < north)) {
      context.addIssue({ code: "custom", message: `Give ${box.join(",")} in degrees` });
    }
    return { west, south, east, north };
  })
  .optional()
  .meta({ type: "string", description: `${box.join(",")} in degrees` });

const scanKinds = ["scans", "suspicions"] as const;
export type ScanKind = (typeof scanKinds)[number];

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

/** Where counting a list ends. */
export const mostCounted = 10_000;

export const listScans = call({
  method: "GET",
  path: "/scans",
  summary: "The scans that have a position, as far as the caller may read the map",
  access: readMap,
  query: listQuery(["at"]).extend(scanFilters),
  reply: z.array(Scan),
  status: 200,
});

/** How many single points a map can be asked for, and how many scans it looks at. */
export const mostPoints = 10_000;
export const mostPlaces = 20_000;

export const ScanPlaces = z
  .object({
    count: z.int().meta({ description: `Scans with a position that the filters leave, the newest ${mostPlaces}` }),
    is_capped: z.boolean().meta({ description: "Whether there are older ones than those" }),
    unplaced: z
      .int()
      .meta({ description: `Scans without a position that the filters leave, counted to ${mostCounted}` }),
    bounds: Bounds.nullable().meta({ description: "What all of them lie within; null where there are none" }),
    points: z.array(Scan).meta({ description: "Each of them, where they are no more than `points` asks for" }),
    cells: z
      .array(
        z.object({
          latitude: z.number().meta({ description: "Of their middle" }),
          longitude: z.number(),
          scans: z.int(),
          suspicions: z.int().meta({ description: "Among the scans" }),
          bounds: Bounds,
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
