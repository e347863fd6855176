import { z } from "zod";
import { call } from "./call.ts";
import { idParams } from "./fields.ts";

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
