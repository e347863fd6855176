import { z } from "zod";
import { call } from "./call.ts";
import { filter, idParams, instant, isoDate, listQuery, longText, text } from "./fields.ts";

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

/** Why an alert was completed: the outcomes of `completeAlert`. */
const outcomes = ["fake", "false alarm", "done"] as const;
export type Outcome = (typeof outcomes)[number];

/** An open alert is new, or in work once it has an owner; a completed one has its outcome as its state. */
export const caseStates = ["new", "in work", ...outcomes] as const;
export type CaseState = (typeof caseStates)[number];

/** The status of a completed alert (`docs/specification.md` section 4). */
export const completed = 3;

/** A number, which other providers may send as text; null if unknown, or further from 0 than `most`. */
const measure = (description: string, max = Number.MAX_SAFE_INTEGER) =>
  z
    .union([z.number(), z.string().transform(Number.parseFloat)])
    .transform((number) => (Math.abs(number) <= max ? number : null))
    .nullable()
    .default(null)
    .meta({ type: ["number", "null"], minimum: -max, maximum: max, description });

/** How many places an alert has beside its own. */
export const maxOtherPlaces = 20;

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
      .meta({ description: "Which copy it is about; null for a document with one only, or if it is about none" }),
    branch: z.string().default("").meta({ description: "The document's branch" }),
    alert: z.string().default("").meta({ description: "The type; stays when the alert is completed" }),
    status: z.coerce
      .number()
      // Green is the default (`docs/specification.md` section 2).
      .overwrite((status) => ([1, 2].includes(status) ? status : completed))
      .default(completed)
      .meta({ type: "integer", description: "1 red: fake scans and clones; 2 yellow: the rest; 3 green: completed" }),
    date: z.string().default("").meta({ description: "The instant of the first scan or complaint behind it" }),
    latitude: measure("Degrees north", 90),
    longitude: measure("Degrees east", 180),
    accuracy: measure("Metres"),
    place_is_rounded: z.boolean().default(false).meta({
      description: "Whether the position is shown to about a kilometre, as for those who may not write alerts",
    }),
    other_places: z
      .array(z.object({ latitude: z.number(), longitude: z.number(), accuracy: measure("Metres"), at: instant }))
      .default([])
      .meta({
        description: `Where its other scans were made, the newest ${maxOtherPlaces}: of two places that are too far apart the second. With GET /alerts/{id} only`,
      }),
    reason: z.string().default("").meta({ description: "Why it was raised, a sentence" }),
    count: z.int().default(1).meta({ description: "How often it happened on that day" }),
    note: z
      .string()
      .default("")
      .meta({ description: "What was found when it was completed last; stays when it is reopened" }),
    reopened_because: z.string().default("").meta({ description: "Why it was reopened; empty while it is completed" }),
    version: z.int().default(1),
    case_state: z
      .enum(["", ...caseStates])
      .default("")
      .meta({ description: "new or in work while it is open, then fake, false alarm or done" }),
    owner: z.string().default("").meta({ description: "The name of the user who works on it; empty for nobody" }),
    owner_id: z.int().nullable().default(null),
    owner_active: z.boolean().default(true).meta({ description: "false if the owner was removed" }),
    first_seen_at: z.string().nullable().default(null).meta({
      description: "The instant at which a user who may change it saw it first",
    }),
    first_seen_by: z.string().default("").meta({ description: "That user's name" }),
    completed_at: z.string().nullable().default(null).meta({ description: "An instant; null while it is open" }),
  })
  .meta({ id: "Alert", description: "A suspicious scan of a document, or a complaint about one" });
export type Alert = z.output<typeof Alert>;

const readAccess = { area: "alerts", right: "read" } as const;
const write = { area: "alerts", right: "write" } as const;

export const listAlerts = call({
  method: "GET",
  path: "/alerts",
  summary: "The alerts that the user may see",
  access: readAccess,
  query: listQuery(["name", "branch", "alert", "date"]).extend({
    name: filter.meta({ description: "Of the document" }),
    alert: filter.meta({ description: "Of the type; “completed” finds those as well" }),
    number: filter.meta({ description: "Of the document" }),
    text: filter.meta({ description: "Of the reason, or of a complaint behind it" }),
    state: filter.meta({
      description: "open or completed, or new, in work, fake, false alarm or done; anything else is all",
    }),
    owner: filter.meta({ description: "Of the owner’s name; me, or nobody: without an owner, or with a removed one" }),
    date: filter.meta({ description: "A day, or a part of one, such as 11-2026; the year first or last" }),
    date_from: filter.transform((value) => value && isoDate(value)).meta({ description: "The first day" }),
    date_to: filter.transform((value) => value && isoDate(value)).meta({ description: "The last day" }),
    document_id: idParams.shape.id.optional().meta({ type: "integer", description: "Exact" }),
  }),
  reply: z.array(Alert),
  status: 200,
});

export const getAlert = call({
  method: "GET",
  path: "/alerts/{id}",
  summary: "One alert",
  access: readAccess,
  params: idParams,
  reply: Alert,
  status: 200,
});

export const getAlertEvidence = call({
  method: "GET",
  path: "/alerts/{id}/evidence.pdf",
  summary: "Document, scans, map and history of an alert, as a PDF that the company signs",
  access: readAccess,
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
  body: z.object({
    note: requiredNote("note", "Enter a note: what was found, or what was done"),
    outcome: z
      .enum(outcomes, "Choose what it was: fake, a false alarm, or done")
      .default("done")
      .meta({ description: "What it was" }),
  }),
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

export const seeAlert = call({
  method: "POST",
  path: "/alerts/{id}/seen",
  summary: "Note that a user who may change an alert has seen it; the first one counts",
  access: write,
  params: idParams,
  reply: Alert,
  status: 200,
});

export const assignAlert = call({
  method: "POST",
  path: "/alerts/{id}/assign",
  summary: "Set or remove the owner of an open alert; a new owner gets an email",
  access: write,
  params: idParams,
  body: z.object({
    owner: text("owner", 254).meta({
      description: "Email address or id of a user who may read the alert; me for oneself; empty for nobody",
    }),
  }),
  reply: Alert,
  status: 200,
  refusals: [409],
});

export const listColleagues = call({
  method: "GET",
  path: "/alerts/{id}/colleagues",
  summary: "Users who may read an alert, by name: whom it can be assigned to, and who can be mentioned",
  access: readAccess,
  params: idParams,
  query: z.object({ name: filter.meta({ description: "Of the name or email address" }) }),
  reply: z.array(z.object({ id: z.int(), name: z.string(), email: z.string() })),
  status: 200,
});
