import { z } from "zod";
import type { Bounds } from "#lib/bounds.ts";
import { languages } from "#lib/messages/languages.ts";
import { call } from "./call.ts";
import { filter, flag, idParams, isoDate, listQuery } from "./fields.ts";
import { signatureVerdicts } from "./signatures.ts";
import { verdicts } from "./verify.ts";

const measure = (description: string, max = Number.MAX_SAFE_INTEGER) =>
  z.number().min(-max).max(max).nullable().default(null).meta({ description });

export const Scan = z
  .object({
    id: z.int(),
    document_id: z.int(),
    number: z.string().meta({ description: "Of the document" }),
    copy: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "Which copy was scanned; null for a document with one only" }),
    branch: z.string().default("").meta({ description: "The document's" }),
    index: z.string().default("").meta({ description: "Post code of that branch" }),
    at: z.string().meta({ description: "ISO-8601, UTC" }),
    latitude: measure("Degrees north; to about a kilometre for those who may not write alerts", 90),
    longitude: measure("Degrees east", 180),
    accuracy: measure("Metres"),
    place: z
      .string()
      .default("")
      .meta({ description: "Town or post code as the visitor typed it; for those who may write alerts" }),
    place_quality: z
      .enum(["", "measured", "typed", "doubtful"])
      .default("")
      .meta({
        description:
          "How the place is known: measured by a device or typed; doubtful without an accuracy, " +
          "or from a network that sent others far away on that day; empty without a place",
      }),
    place_is_removable: z
      .boolean()
      .default(false)
      .meta({ description: "Whether it has a place that the caller may remove" }),
    place_is_rounded: z
      .boolean()
      .default(false)
      .meta({ description: "Whether the position is shown to about a kilometre only" }),
    suspicion: z.boolean().meta({ description: "Whether it raised an alert" }),
    staff: z.boolean().meta({ description: "Made by the company's own users; rules ignore it" }),
    verdict: z
      .enum(["", ...verdicts])
      .default("")
      .meta({ description: "What the visitor was shown; empty for scans from before it was stored" }),
    signature: z
      .enum(["", ...signatureVerdicts])
      .default("")
      .meta({ description: "What the check of a signed code showed; empty if it confirmed the record" }),
    complaint: z.string().default("").meta({ description: "The problem that the visitor reported" }),
    contact: z.string().default("").meta({ description: "How to answer; for those who may write alerts" }),
    complaint_language: z
      .enum(["", ...languages])
      .default("")
      .meta({ description: "Of the page on which the visitor complained; empty if that is unknown" }),
    alert_id: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "The first alert that it raised, if the caller may read it" }),
  })
  .meta({ id: "Scan", description: "One scan of a document's code" });
export type Scan = z.output<typeof Scan>;

export const listAlertScans = call({
  method: "GET",
  path: "/alerts/{id}/scans",
  summary: "The scans behind an alert, the newest first; at most a hundred",
  access: { area: "alerts", right: "read" },
  params: idParams,
  reply: z.array(Scan),
  status: 200,
});

/** How many of a document's scans its page has. */
export const newestScans = 5;

export const listDocumentScans = call({
  method: "GET",
  path: "/documents/{id}/scans",
  summary: `The newest ${newestScans} scans of a document, with or without a place`,
  access: { area: "alerts", right: "read" },
  params: idParams,
  reply: z.array(Scan),
  status: 200,
});

/** The dashboard's period in days, today included. */
export const dashboardDays = 14;

export const Activity = z
  .object({
    days: z
      .array(z.object({ day: z.string(), scans: z.int(), alerts: z.int() }))
      .meta({ description: "The last 14 days in the company's time zone, today last" }),
    scans_before: z.int().meta({ description: "In the 14 days before those" }),
    scans_by_staff: z.int().meta({ description: "Among those of the 14 days" }),
    alerts_open: z.int(),
    documents: z.int().meta({ description: "Issued in the 14 days, by their date" }),
    documents_before: z.int(),
  })
  .meta({ id: "Activity", description: "The dashboard's figures of the last 14 days" });
export type Activity = z.output<typeof Activity>;

export const dailyScans = call({
  method: "GET",
  path: "/scans/daily",
  summary: "Scans and alerts by day, as far as the caller may read alerts",
  access: { area: "alerts", right: "read" },
  reply: Activity,
  status: 200,
});

/** An area between meridians and parallels. */
const Area = z
  .object({
    west: z.number().meta({ description: "Degrees east" }),
    south: z.number().meta({ description: "Degrees north" }),
    east: z.number().meta({ description: "Up to 540: more than 180 beyond the date line" }),
    north: z.number(),
  })
  .meta({ id: "Bounds" });

const degrees = z
  .string()
  .regex(/^ *-?\d+(\.\d+)? *$/)
  .transform(Number);
const sides = z.tuple([degrees, degrees, degrees, degrees]);

const clamp = (max: number, value: number) => Math.min(Math.max(value, -max), max);

/** Maps may be moved round the world, and beyond what exists. */
function asBounds([west, south, east, north]: [number, number, number, number]): Bounds {
  // As GeoJSON has bounds that cross the date line (RFC 7946).
  const width = west > 0 && east < 0 ? east + 360 - west : east - west;
  const first = width < 360 ? west - 360 * Math.floor((west + 180) / 360) : -180;
  return { west: first, south: clamp(90, south), east: first + Math.min(width, 360), north: clamp(90, north) };
}

/** A part of the map. */
const bbox = z
  .string()
  .transform((text, context): Bounds => {
    const bounds = asBounds(sides.safeParse(text.split(",")).data ?? [0, 0, 0, 0]);
    if (!(bounds.west < bounds.east && bounds.south < bounds.north)) {
      context.addIssue({ code: "custom", message: "Give west,south,east,north in degrees" });
    }
    return bounds;
  })
  .optional()
  .meta({
    type: "string",
    description: "west,south,east,north in degrees; across the date line as 179,-20,181,-10 or 179,-20,-179,-10",
  });

const scanKinds = ["scans", "suspicions"] as const;

const scanFilters = {
  number: filter.meta({ description: "Of the document" }),
  date_from: filter.meta({ description: "From this date on, in the company's time zone" }).transform(asDate),
  date_to: filter.meta({ description: "Up to this date" }).transform(asDate),
  index: filter.meta({ description: "Post code of the document's branch" }),
  branch: filter.meta({ description: "Exact" }),
  kind: filter
    .transform((names) => (names ? scanKinds.filter((kind) => names.split(",").includes(kind)) : [...scanKinds]))
    .meta({
      type: "string",
      description: "scans (without an alert), suspicions, both with a comma, which is the default, or none",
    }),
  bbox,
};

function asDate(text: string | undefined) {
  return text && isoDate(text);
}

const readMap = { area: "map", right: "read" } as const;

export const listScans = call({
  method: "GET",
  path: "/scans",
  summary: "The scans with a place, as a position or in words, as far as the caller may read the map",
  access: readMap,
  query: listQuery(["at"]).extend({
    ...scanFilters,
    // Visitors add to this list, so it is never sent whole.
    page: listQuery([]).shape.page.default(1),
  }),
  reply: z.array(Scan),
  status: 200,
});

export const removeScanPlace = call({
  method: "DELETE",
  path: "/scans/{id}/place",
  summary: "Remove the place of a scan, which may be made up; the scan stays",
  access: { area: "alerts", right: "write" },
  params: idParams,
  query: z.object({
    network: flag.meta({ description: "1: also the document's places that the same network sent on that day" }),
  }),
  reply: null,
  status: 204,
});

/** How many of the newest scans a map counts. */
export const maxPlaces = 20_000;
/** How many of them a map can have one by one. */
const maxPoints = 10_000;

/** A scan on the map. */
export const ScanPoint = Scan.omit({
  index: true,
  place: true,
  place_is_removable: true,
  complaint: true,
  complaint_language: true,
  contact: true,
}).meta({ id: "ScanPoint" });
export type ScanPoint = z.output<typeof ScanPoint>;

export const ScanPlaces = z
  .object({
    count: z.int().meta({ description: `Scans with a position that match the filters, ${maxPlaces} at most` }),
    is_capped: z.boolean().meta({ description: "Whether older ones are left out" }),
    bounds: Area.nullable().meta({ description: "The area of all of them; null if there are none" }),
    points: z.array(ScanPoint).meta({ description: "Each of them, if there are no more than `points`" }),
    cells: z
      .array(
        z.object({
          latitude: z.number().meta({ description: "Degrees north; the average of its scans" }),
          longitude: z.number().meta({ description: "Degrees east" }),
          scans: z.int().meta({ description: "How many scans it has" }),
          suspicions: z.int().meta({ description: "How many of them raised alerts" }),
          bounds: Area.meta({ description: "The area of its scans" }),
        }),
      )
      .meta({ description: "Otherwise, scans grouped by cell" }),
  })
  .meta({ id: "ScanPlaces", description: "The scans on a map" });
export type ScanPlaces = z.output<typeof ScanPlaces>;

export const scanPlaces = call({
  method: "GET",
  path: "/scans/places",
  summary: "The places of scans, one by one or, if there are many, by cell",
  access: readMap,
  query: z.object({
    ...scanFilters,
    points: z.coerce
      .number<string>()
      .int()
      .min(0)
      .max(maxPoints)
      .default(maxPoints)
      .meta({ type: "integer", description: "The most single points to send" }),
  }),
  reply: ScanPlaces,
  status: 200,
});
