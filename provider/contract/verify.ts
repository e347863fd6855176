import { z } from "zod";
import { languages } from "#lib/messages/languages.ts";
import { call } from "./call.ts";
import { CopyWithdrawn } from "./copies.ts";
import { documentNumber, flag, idParams, requiredLongText, shownDate, text } from "./fields.ts";
import { LogEntry, logPending } from "./log-entries.ts";

/** The calls of visitors with a document's code (`docs/open-points.md`, "Access type"). */

/** How long after a scan its place or a complaint can be sent, in minutes. */
export const reportingMinutes = 10;

/** Of any length: the reader refuses texts too long for a signed code (`lib/seal/signed-code.ts`). */
export const signedDigits = z
  .string()
  .default("")
  .meta({ description: "Behind the code in the scanned address; empty for a plain code" });

export const codeParams = z.object({ code: z.string().max(100).meta({ description: "As scanned or typed" }) });

/** Verdicts on an issued code, the best first; the last is for a number of another document. */
export const verdicts = ["in force", "withdrawn", "expired", "copy withdrawn", "other paper"] as const;
export type IssuedVerdict = (typeof verdicts)[number];

/** Why a document is no longer in force, and since which date. Archiving alone ends nothing. */
export const Ended = z.object({ reason: z.enum(["exited", "expired"]), since: z.string() });

/** The newest document that replaced another: what its own verification page says, without its code. */
export const NewerDocument = z
  .object({
    number: z.string(),
    document_type: z.string(),
    document_subtype: z.string().default(""),
    date: shownDate,
    expire_date: shownDate,
    ended: Ended.optional(),
  })
  .meta({ id: "NewerDocument", description: "The newest document that replaced a withdrawn one" });
export type NewerDocument = z.output<typeof NewerDocument>;

const typedNumber = documentNumber();

const again = flag.meta({
  description: "1 if the visitor typed the number again after “near”, which then is another’s number",
});

export const Verification = z
  .object({
    code: z.string(),
    verdict: z.enum(verdicts).meta({ description: "Of the whole answer: another number outweighs the rest" }),
    ended: Ended.optional().meta({ description: "Why it is not in force, and since which date (YYYY-MM-DD)" }),
    withdrawal_text: z.string().optional().meta({ description: "Why it was withdrawn, in the issuer’s words" }),
    replaced_by: NewerDocument.optional().meta({
      description: "Of a replaced document: the newest version, without its code",
    }),
    copy: z.int().default(1).meta({ description: "Which copy the code is of, from 1" }),
    copies: z.int().max(10_000).default(1).meta({ description: "How many numbered copies the document has" }),
    copy_withdrawn: CopyWithdrawn.optional().meta({
      description: "Why and since which date (YYYY-MM-DD) this copy alone is withdrawn",
    }),
    paper: z.enum(["", "same", "near", "other"]).default("").meta({
      description:
        "Whether the number on the paper is this document’s; empty without a number. near: it may be mistyped, ask again",
    }),
    company: z.string().meta({ description: "The issuer" }),
    branch: z.string().default(""),
    document_type: z.string(),
    document_subtype: z.string().default(""),
    number: z.string(),
    date: shownDate,
    expire_date: shownDate.meta({ description: "YYYY-MM-DD, empty for never and if it has ended" }),
    pages: z.int(),
    open_pages: z
      .array(z.object({ n: z.int(), pages: z.int().min(0).max(10_000) }))
      .default([])
      .meta({ description: "Page files that visitors can see: of 'Open to all' documents in force only" }),
    preparing: z.boolean().default(false).meta({ description: "Whether their images are still being made" }),
    timezone: z.string().default("").meta({ description: "The issuer's; IANA name, e.g. Europe/London" }),
    language: z
      .enum(["", ...languages])
      .default("")
      .meta({ description: "Of the issuer’s texts, as far as it is given" }),
    log_entry: LogEntry.optional(),
    log_pending: logPending,
  })
  .meta({ id: "Verification", description: "What visitors see of a document" });
export type Verification = z.output<typeof Verification>;

export const verify = call({
  method: "GET",
  path: "/verify/{code}",
  summary: "Whether a code was issued and its document is in force; records nothing",
  access: "public",
  isCrossOrigin: true,
  isLimited: true,
  params: codeParams,
  query: z.object({ number: typedNumber.meta({ description: "The number on paper; optional" }), again }),
  reply: Verification,
  status: 200,
  refusals: [422, 429],
});

export const recordScan = call({
  method: "POST",
  path: "/verify/{code}/scans",
  summary: "Record that a code was scanned or typed; a bearer marks the issuer's own users",
  access: "public",
  params: codeParams,
  body: z.object({
    number: typedNumber.meta({ description: "The number on paper, if it was typed; another’s raises an alert" }),
    again,
    digits: signedDigits,
  }),
  reply: z
    .object({
      scan: z
        .string()
        .meta({ description: `The key of this scan for ${reportingMinutes} minutes; empty if none is stored` }),
    })
    .meta({ id: "RecordedScan", description: "A recorded scan" }),
  status: 201,
  refusals: [429],
});

const scan = text("scan", 100).meta({ description: "The key from the reply to the recording" });

const degrees = (name: string, max: number) =>
  z
    .union([z.literal("").transform(() => undefined), z.coerce.number<string | number>().min(-max).max(max)])
    .optional()
    .meta({ type: "number", description: `${name}, degrees` });

export const locateScan = call({
  method: "POST",
  path: "/verify/{code}/location",
  summary: "Add a scan's place, once: a position, or a place in words",
  access: "public",
  params: codeParams,
  body: z
    .object({
      scan,
      latitude: degrees("North", 90),
      longitude: degrees("East", 180),
      accuracy: z
        .union([z.literal("").transform(() => undefined), z.coerce.number<string | number>().min(0).max(1e7)])
        .optional()
        .meta({ type: "number", description: "Metres" }),
      place: text("place", 100).meta({ description: "A town or post code, without a position" }),
    })
    .refine(({ latitude, longitude, place }) => place !== "" || (latitude !== undefined && longitude !== undefined), {
      path: ["place"],
      message: "Enter a town or a post code",
    }),
  reply: null,
  status: 204,
  refusals: [409, 429],
});

export const complain = call({
  method: "POST",
  path: "/verify/{code}/complaint",
  summary: "Report a problem with a scanned document, once",
  access: "public",
  params: codeParams,
  body: z.object({
    scan: scan.meta({ description: "The key from the reply to the recording; empty if none was recorded" }),
    text: requiredLongText("problem", 1000),
    contact: text("contact", 200).meta({ description: "How the issuer can answer; optional" }),
    language: z
      .enum(["", ...languages])
      .default("")
      .meta({ description: "Of the page on which it was written, in which an answer is read" }),
  }),
  reply: null,
  status: 204,
  refusals: [409, 429],
});

export const getOpenPage = call({
  method: "GET",
  path: "/verify/{code}/pages/{n}",
  summary: "An image of a page of an 'Open to all' document in force",
  access: "public",
  params: codeParams.extend({ n: idParams.shape.id.meta({ type: "integer", description: "Of the page file" }) }),
  query: z.object({ page: idParams.shape.id.default(1).meta({ type: "integer", description: "Of the file, from 1" }) }),
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [422, 429, 503],
});

export const getLogProof = call({
  method: "GET",
  path: "/verify/{code}/log-proof",
  summary:
    "The proof that a document’s entry is in the log (c2sp.org/tlog-proof@v1), with what the entry is the hash of",
  access: "public",
  params: codeParams,
  query: z.object({
    entry: z.enum(["first", "newest"]).default("first").meta({ description: "newest: of what the document is now" }),
  }),
  reply: { mediaTypes: ["text/plain"] },
  status: 200,
  refusals: [422, 429],
});
