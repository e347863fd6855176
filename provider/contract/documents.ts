import { z } from "zod";
import { call } from "./call.ts";
import { expiringDays, placingForms } from "./document-options.ts";
import { PageFile } from "./document-files.ts";
import { filter, flag, idParams, instant, isoDate, listQuery, longText, optionalId, shownDate } from "./fields.ts";
import { LogEntry, logPending } from "./log-entries.ts";
import { Ended } from "./verify.ts";

const status = z.enum(["active", "exited", "archived"]);

/** A document's state today, in the list and in the archive alike. */
const validities = ["in force", "withdrawn", "expired"] as const;
export type Validity = (typeof validities)[number];

/** The validities that lists are filtered by, with the documents in force that expire within `expiringDays`. */
const validityFilters = [...validities, "expiring"] as const;
export type ValidityFilter = (typeof validityFilters)[number];

/** What became of a mail to a recipient, by which lists are filtered. */
const mailFilters = ["undelivered", "unopened"] as const;
export type MailFilter = (typeof mailFilters)[number];

export const CustomField = z
  .object({ name: z.string(), value: z.string() })
  .meta({ id: "CustomField", description: "A property that the document's author added" });

export const DocumentRow = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    branch: z.string().default(""),
    users_access_group: z.string().default(""),
    date: shownDate,
    number: z.string().default(""),
    email: z.string().default("").meta({ description: "The owner's email address" }),
    user: z.string().default("").meta({ description: "The owner's name" }),
    category: z.string().default("").meta({ description: "The document type" }),
    status: status
      .optional()
      .meta({ description: "active; exited = withdrawn; archived = read-only, out of the list" }),
    expire_date: shownDate.meta({ description: "YYYY-MM-DD, empty for never" }),
    validity: z
      .enum(validities)
      .optional()
      .meta({ description: "withdrawn = exited, also in the archive; expired by the company’s date; else in force" }),
    custom_fields: z.array(CustomField).optional().meta({ description: "In lists with with_custom_fields only" }),
  })
  .meta({ id: "DocumentRow", description: "A document as listed" });
export type DocumentRow = z.output<typeof DocumentRow>;

const Replacement = z
  .object({
    id: z.int().nullable().default(null).meta({ description: "Null if the reader may not see that document" }),
    number: z.string().default(""),
    date: shownDate,
  })
  .meta({ id: "Replacement", description: "The other document of a replacement" });

export const Document = DocumentRow.extend({
  document_type: z.string().default(""),
  document_subtype: z.string().default(""),
  access_type: z.string().default(""),
  expire_type: z.string().default(""),
  prolongation: z.boolean().optional(),
  qr_placing: z.string().default("none").meta({ description: placingForms }),
  pages: z.int().optional().meta({ description: "Pages in all page files" }),
  copies: z.int().max(10_000).default(1).meta({ description: "In how many numbered copies it was issued" }),
  manager: z.string().default("").meta({ description: "Name of the branch's manager" }),
  active: z
    .boolean()
    .optional()
    .meta({ description: "In force: neither withdrawn nor expired, in the archive or not" }),
  ended: Ended.optional().meta({ description: "Why and since when it is not in force, as a scan says" }),
  prolonged_until: shownDate.meta({ description: "The expire date after prolonging; empty if that is not possible" }),
  code: z.string().default("").meta({ description: "The end of the QR code's address" }),
  verify_url: z.string().default("").meta({ description: "The address in the QR code" }),
  branch_id: z.int().nullable().default(null),
  users_access_group_id: z.int().nullable().default(null),
  custom_fields: z.array(CustomField).default([]),
  files: z
    .object({
      qrcode: z.string().default("").meta({ description: "The QR code: a data URL or an address" }),
      pages: z.array(PageFile).default([]),
    })
    .default({ qrcode: "", pages: [] }),
  notes: z.array(z.string()).default([]).meta({
    description:
      "Sentences on what its page files have and the sealed PDF has not, such as signatures, and what the QR code covers",
  }),
  withdrawal_reason: z
    .string()
    .default("")
    .meta({ description: "Why it was withdrawn, from the company’s list as it was then" }),
  withdrawal_text: z.string().default("").meta({ description: "That reason for strangers, as its scans say" }),
  withdrawal_note: z.string().default("").meta({ description: "About its withdrawal, for users" }),
  replaced_by: Replacement.optional().meta({ description: "The newer document that it was withdrawn for" }),
  replaces: Replacement.optional().meta({ description: "The older document that was withdrawn for it" }),
  drafted_by: z.string().optional().meta({ description: "Who drafted what others released; omitted for others" }),
  released_by: z.string().optional().meta({ description: "Who released it: one user or two" }),
  awaiting_release: z
    .int()
    .optional()
    .meta({ description: "The id of the release in which a change of it waits; omitted for none" }),
  log_entry: LogEntry.optional(),
  log_pending: logPending,
  created_at: instant,
  version: z.int().default(1),
}).meta({ id: "Document", description: "A document with all its fields" });
export type Document = z.output<typeof Document>;

export const AwaitingRelease = z
  .object({
    awaiting_release: z.int().meta({ description: "The id of the release in which it waits" }),
    number: z.string().default("").meta({ description: "Reserved for it" }),
  })
  .meta({ id: "AwaitingRelease", description: "In place of a document that other users have to release first" });

const readAccess = { area: "docs", right: "read" } as const;
const write = { area: "docs", right: "write" } as const;

/** Texts of one or two letters are searched among this many of the newest documents, longer ones among all. */
export const newestSearched = 10_000;

export const listDocuments = call({
  method: "GET",
  path: "/documents",
  summary: "The documents that the user may see",
  access: readAccess,
  query: listQuery(["name", "branch", "user", "category", "date", "number"]).extend({
    name: filter,
    email: filter.meta({ description: "Of the owner" }),
    number: filter,
    branch: filter.meta({ description: "Exact" }),
    date: filter.meta({ description: "A day, or a part of one as DD-MM-YYYY, such as 11-2026, 2026 or 23-11" }),
    date_from: filter.transform((value) => value && isoDate(value)),
    date_to: filter.transform((value) => value && isoDate(value)),
    expires: filter
      .transform((value) => value && isoDate(value))
      .meta({ description: "The day on which they expire; YYYY-MM-DD or DD-MM-YYYY" }),
    status: filter.meta({ description: "Exact: active, exited or archived; several with commas" }),
    validity: z
      .enum(validityFilters)
      .optional()
      .meta({
        description: `Exact. expiring: in force, and expires within ${expiringDays} days`,
      }),
    mail: z.enum(mailFilters).optional().meta({
      description:
        "Sent to a recipient whose newest mail was not delivered, or was sent and its document not opened yet",
    }),
    with_custom_fields: flag.meta({ description: "1: rows have their custom fields" }),
  }),
  reply: z.array(DocumentRow),
  status: 200,
});

export const getDocument = call({
  method: "GET",
  path: "/documents/{id}",
  summary: "One document",
  access: readAccess,
  params: idParams,
  reply: Document,
  status: 200,
});

export const Reader = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    staff: z.string().default("").meta({ description: "Name of the access group that allows it" }),
    docs: z.string().default("").meta({ description: "That group's permission for documents, e.g. B:R" }),
    owner: z.boolean().default(false).meta({ description: "Whether the document is their own" }),
  })
  .meta({ id: "Reader", description: "A user who can see a document, and why" });
export type Reader = z.output<typeof Reader>;

export const listReaders = call({
  method: "GET",
  path: "/documents/{id}/readers",
  summary: "Who can see a document, and by which access group",
  access: readAccess,
  params: idParams,
  query: listQuery(["name"]).extend({ name: filter }),
  reply: z.array(Reader),
  status: 200,
});

/** A change of a document's status or validity, without a body. */
const lifecycle = <const Path extends string>(path: Path, summary: string) =>
  call({
    method: "POST",
    path: `/documents/{id}/${path}`,
    summary,
    access: write,
    params: idParams,
    reply: Document,
    status: 200,
    refusals: [409],
  });

export const archiveDocument = lifecycle("archive", "Archive: read-only, out of the list");
export const restoreDocument = lifecycle("restore", "Take out of the archive, with its earlier status");

export const exitDocument = call({
  ...lifecycle("exit", "Withdraw: its scans say that it is no longer in force"),
  body: z.object({
    reason: optionalId("Choose a reason from the list").meta({
      description: "The id of a withdrawal reason; optional",
    }),
    note: longText("note", 1000).meta({ description: "For users; visitors do not see it" }),
  }),
  bodyIsOptional: true,
});

export const reactivateDocument = lifecycle("reactivate", "Undo a withdrawal");
export const prolongDocument = lifecycle("prolong", "Extend the expire date by the first period");
