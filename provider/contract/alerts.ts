import { z } from "zod";
import { call } from "./call.ts";
import { filter, idParams, listQuery, longText } from "./fields.ts";

/** The types of alerts (`docs/contract.md`, "Fields") with the status that each has while it is open. */
export const alertTypes = {
  "Fake scan": 1,
  Complaint: 2,
  "Withdrawn document scanned": 2,
  "Withdrawn copy scanned": 2,
  "Expired document scanned": 2,
  "Burst of scans": 2,
} as const;
export type AlertType = keyof typeof alertTypes;

/** The status of a completed alert (`docs/specification.md` section 4). */
export const completed = 3;

/** A number, which other providers may send as text; null if unknown. */
const measure = (description: string) =>
  z
    .union([z.number(), z.string().transform(asNumber)])
    .nullable()
    .default(null)
    .meta({ type: ["number", "null"], description });

function asNumber(text: string) {
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? null : number;
}

export const Alert = z
  .object({
    id: z.int(),
    number: z.string().default("").meta({ description: "AL- and six digits" }),
    document: z.string().default("").meta({ description: "The document's name" }),
    document_id: z.int().nullable().default(null),
    copy: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "Which copy it is about; null for a document with one only, or where it is about none" }),
    branch: z.string().default("").meta({ description: "The document's branch" }),
    alert: z.string().default("").meta({ description: "The type; stays when the alert is completed" }),
    status: z.coerce
      .number()
      // Green is the default (`docs/specification.md` section 2).
      .overwrite((status) => ([1, 2].includes(status) ? status : completed))
      .default(completed)
      .meta({ type: "integer", description: "1 red: fake scans and clones; 2 yellow: the rest; 3 green: completed" }),
    date: z.string().default("").meta({ description: "The instant of the first scan or complaint behind it" }),
    latitude: measure("Degrees north"),
    longitude: measure("Degrees east"),
    accuracy: measure("Metres"),
    place_is_rounded: z.boolean().default(false).meta({
      description: "Whether the position is shown to about a kilometre, as for those who may not write alerts",
    }),
    reason: z.string().default("").meta({ description: "Why it was raised, a sentence" }),
    count: z.int().default(1).meta({ description: "How often it happened on that day" }),
    note: z
      .string()
      .default("")
      .meta({ description: "What was found when it was completed last; stays when it is reopened" }),
    reopened_because: z.string().default("").meta({ description: "Why it was reopened; empty while it is completed" }),
    version: z.int().default(1),
  })
  .meta({ id: "Alert", description: "A suspicious scan of a document, or a complaint about one" });
export type Alert = z.output<typeof Alert>;

const read = { area: "alerts", right: "read" } as const;
const write = { area: "alerts", right: "write" } as const;

export const listAlerts = call({
  method: "GET",
  path: "/alerts",
  summary: "The alerts that the user may see",
  access: read,
  query: listQuery(["name", "branch", "alert", "date"]).extend({
    name: filter.meta({ description: "Of the document" }),
    alert: filter.meta({ description: "Of the type; “completed” finds those as well" }),
    number: filter.meta({ description: "Of the document" }),
    text: filter.meta({ description: "Of the reason, or of a complaint behind it" }),
    state: filter.meta({ description: "open or completed; anything else is both" }),
    date: filter.meta({ description: "A day, or a part of one, such as 11-2026; the year first or last" }),
    document_id: idParams.shape.id.optional().meta({ type: "integer", description: "Exact" }),
  }),
  reply: z.array(Alert),
  status: 200,
});

export const getAlert = call({
  method: "GET",
  path: "/alerts/{id}",
  summary: "One alert",
  access: read,
  params: idParams,
  reply: Alert,
  status: 200,
});

export const getAlertEvidence = call({
  method: "GET",
  path: "/alerts/{id}/evidence.pdf",
  summary: "Document, scans, map and history of an alert, as a PDF that the company signs",
  access: read,
  params: idParams,
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [429, 503],
});

const requiredNote = (name: string, refusal: string) => longText(name, 1000).refine((value) => value !== "", refusal);

export const completeAlert = call({
  method: "POST",
  path: "/alerts/{id}/complete",
  summary: "Complete an alert, with a note of what was found",
  access: write,
  params: idParams,
  body: z.object({ note: requiredNote("note", "Enter a note: what was found, or what was done") }),
  reply: Alert,
  status: 200,
  refusals: [409],
});

export const reopenAlert = call({
  method: "POST",
  path: "/alerts/{id}/reopen",
  summary: "Reopen a completed alert, with a reason",
  access: write,
  params: idParams,
  body: z.object({ reason: requiredNote("reason", "Enter the reason for reopening the alert") }),
  reply: Alert,
  status: 200,
  refusals: [409],
});
