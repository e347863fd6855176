import { z } from "zod";
import { call } from "./call.ts";
import { bulkContents, bulkIssueStates, bulkLimits, rowStates } from "./bulk-options.ts";
import { documentFields, subtypeOfType } from "./document-form.ts";
import {
  date,
  filter,
  flag,
  idParams,
  instant,
  listQuery,
  optionalEmail,
  optionalId,
  text,
  version,
} from "./fields.ts";
import { TableFacts, tableReading } from "./table-reading.ts";

/** Issuing many documents from a table: what they have in common, their content, and a row for each. */

const create = { area: "docs", right: "create" } as const;

const { document_type, document_subtype, expire_type, access_type } = documentFields;
const { users_access_group, prolongation, qr_placing } = documentFields;

/** Values of all documents without a column of their own. */
export const commonFields = {
  document_type,
  document_subtype,
  date: date("creation date"),
  name: text("document name", 200),
  email: optionalEmail("user email"),
  expire_type,
  expire_date: date("expire date"),
  access_type,
  users_access_group,
  prolongation,
  qr_placing,
};

const what = z
  .object({
    ...commonFields,
    content: z.enum(bulkContents).default("zip").meta({ description: "Where the pages come from" }),
    template: optionalId("Choose a template").meta({ description: "A template’s id: another one sets its qr_placing" }),
  })
  .refine(subtypeOfType.check, subtypeOfType.refusal);

const count = z.int().default(0);

export const BulkIssue = z
  .object({
    id: z.int(),
    state: z.enum(bulkIssueStates).meta({ description: "How far it is; waiting: for storage" }),
    reason: z.string().default("").meta({ description: "Why it stopped, if it did" }),
    user: z.string().default("").meta({ description: "Who made it" }),
    is_own: z
      .boolean()
      .default(true)
      .meta({ description: "Whether the caller made it: others only look at it and stop it" }),
    document_type: z.string(),
    document_subtype: z.string(),
    date: z.string(),
    name: z.string(),
    email: z.string(),
    expire_type: z.string(),
    expire_date: z.string(),
    access_type: z.string(),
    users_access_group: z.string(),
    prolongation: z.boolean(),
    qr_placing: z.string(),
    content: z.enum(bulkContents),
    template: z.int().nullable().default(null),
    table_name: z.string().default("").meta({ description: "Name of the table’s file; empty until there is one" }),
    table: TableFacts.nullable().default(null).meta({ description: "How the table’s file was read" }),
    columns: z.array(z.string()).default([]).meta({ description: "Of the table, in its order" }),
    mapping: z.array(z.string()).default([]).meta({ description: "What each column is, in the same order" }),
    fields: z
      .array(z.object({ value: z.string(), label: z.string() }))
      .default([])
      .meta({ description: "What a column can be; empty: it is not used" }),
    templates: z
      .array(z.object({ id: z.int(), name: z.string() }))
      .default([])
      .meta({ description: "Of a draft: the templates that can be chosen" }),
    archive_name: z.string().default("").meta({ description: "Name of the ZIP; empty until there is one" }),
    archive_files: count.meta({ description: "Files in the ZIP" }),
    leave_out_wrong: z.boolean().default(false),
    rows: count,
    checked: count.meta({ description: "Rows that were checked" }),
    wrong: count.meta({ description: "Checked rows with a problem" }),
    noted: count.meta({ description: "Checked rows with notes" }),
    notes: z.array(z.string()).default([]).meta({
      description:
        "Sentences on the template and the table that hold for every row, and on files of the ZIP that no row names",
    }),
    pages: count.meta({ description: "Of the checked rows without one" }),
    issued: count.meta({ description: "With those that await release" }),
    awaiting_release: count.meta({ description: "Of the issued ones" }),
    refused: count,
    left_out: count,
    pages_included: z.int().nullable().default(null).meta({ description: "A month in the plan; null if by agreement" }),
    pages_used: z.int().nullable().default(null).meta({ description: "This month; null while it is not checked" }),
    created_at: instant,
    started_at: instant,
    finished_at: instant,
    version: z.int().default(1),
  })
  .meta({ id: "BulkIssue", description: "Documents that are issued together from a table" });
export type BulkIssue = z.output<typeof BulkIssue>;

export const BulkIssueRow = z
  .object({
    line: z.int().meta({ description: "In the table’s file" }),
    cells: z.array(z.string()),
    state: z.enum(rowStates),
    problems: z
      .array(z.object({ column: z.string().default(""), message: z.string() }))
      .default([])
      .meta({ description: "By the table’s column; empty if it concerns the whole row" }),
    notes: z.array(z.string()).default([]).meta({
      description:
        "Sentences on what its page file has and the sealed PDF will not have, and on fields of the template that it leaves empty",
    }),
    pages: count,
    document: z.int().nullable().default(null).meta({ description: "Id of the document that was issued" }),
    release: z.int().nullable().default(null).meta({ description: "Id of the release in which it waits" }),
    number: z.string().default("").meta({ description: "Its number" }),
  })
  .meta({ id: "BulkIssueRow", description: "A row of a bulk issue’s table" });
export type BulkIssueRow = z.output<typeof BulkIssueRow>;

const path = "/bulk-issues/{id}";

export const listBulkIssues = call({
  method: "GET",
  path: "/bulk-issues",
  summary: "The caller’s bulk issues, the newest first; administrators get the whole company’s",
  access: create,
  query: listQuery(["created_at"]),
  reply: z.array(BulkIssue),
  status: 200,
});

export const createBulkIssue = call({
  method: "POST",
  path: "/bulk-issues",
  summary: "Begin to issue many documents: what they have in common",
  access: create,
  body: what,
  reply: BulkIssue,
  status: 201,
  refusals: [409],
});

export const getBulkIssue = call({
  method: "GET",
  path,
  summary: "One bulk issue, and how far it is",
  access: create,
  params: idParams,
  reply: BulkIssue,
  status: 200,
});

export const updateBulkIssue = call({
  method: "PUT",
  path,
  summary: "Change what the documents have in common, and where their pages come from; not once it runs",
  access: create,
  params: idParams,
  body: what.safeExtend({ version: version.optional() }),
  reply: BulkIssue,
  status: 200,
  refusals: [409],
});

export const setBulkTable = call({
  method: "POST",
  path: `${path}/table`,
  summary: `Set the table: CSV or XLSX of at most ${bulkLimits.rows.toLocaleString("en-GB")} rows, with a row of column names first. Without a file, the one before is read again`,
  access: create,
  params: idParams,
  body: z.object(tableReading),
  file: "table",
  fileIsOptional: true,
  reply: BulkIssue,
  status: 200,
  refusals: [409, 413, 503],
});

export const setBulkArchive = call({
  method: "POST",
  path: `${path}/archive`,
  summary: "Set the ZIP of page files, which a column of the table names",
  access: create,
  params: idParams,
  body: z.object({}),
  file: "archive",
  reply: BulkIssue,
  status: 200,
  refusals: [409, 413, 503],
});

export const mapBulkColumns = call({
  method: "POST",
  path: `${path}/mapping`,
  summary: "Say what each column of the table is",
  access: create,
  params: idParams,
  body: z.object({
    mapping: z
      .array(text("field", 120), "Send the fields as mapping[]")
      .max(bulkLimits.columns, `A table can have ${bulkLimits.columns} columns`)
      .default([])
      .meta({ description: "A value of `fields` for each column in the table’s order; empty: it is not used" }),
  }),
  reply: BulkIssue,
  status: 200,
  refusals: [409],
});

/** The steps of a bulk issue. */
const step = <const Name extends string>(name: Name, summary: string) =>
  call({
    method: "POST",
    path: `/bulk-issues/{id}/${name}`,
    summary,
    access: create,
    params: idParams,
    reply: BulkIssue,
    status: 200,
    refusals: [409, 422],
  });

// The job works with the rights of the user, which may be more than those of a key.
const bySession = { keys: false } as const;

export const checkBulkIssue = step("check", "Check every row in the background; nothing is issued");
export const startBulkIssue = call({
  ...bySession,
  ...step("start", "Issue the documents of all rows in the background; 409 while a row is wrong"),
  body: z.object({
    leave_out_wrong: flag.meta({ description: "1: issue the others, and leave wrong rows out" }),
  }),
});
export const pauseBulkIssue = step("pause", "Stop issuing after the row that is being issued");
export const resumeBulkIssue = call({
  ...bySession,
  ...step("resume", "Go on with a bulk issue that was paused, or waits for storage"),
});
export const cancelBulkIssue = step("cancel", "Stop for good; documents that were issued stay");

export const listBulkRows = call({
  method: "GET",
  path: `${path}/rows`,
  summary: "Its rows in the table’s order, with their problems and documents",
  access: create,
  params: idParams,
  query: listQuery(["line"]).extend({
    state: z
      .enum(["", "wrong", "noted", ...rowStates])
      .default("")
      .meta({ description: "Rows in one state; wrong: with problems; noted: with notes" }),
    search: filter.meta({ description: "Part of a cell" }),
  }),
  reply: z.array(BulkIssueRow),
  status: 200,
});

const BulkDocument = z
  .object({ line: z.int(), id: z.int(), number: z.string(), name: z.string(), verify_url: z.string() })
  .meta({ id: "BulkDocument", description: "A document that a bulk issue has issued" });

export const listBulkDocuments = call({
  method: "GET",
  path: `${path}/documents`,
  summary: "The documents that it has issued and the caller may read, in the table’s order",
  access: create,
  params: idParams,
  query: listQuery(["line"]),
  reply: z.array(BulkDocument),
  status: 200,
});

export const previewBulkRow = call({
  method: "GET",
  path: `${path}/rows/{line}/preview`,
  summary: "An image of one page of the document that a row would become",
  access: create,
  params: idParams.extend({ line: idParams.shape.id }),
  query: z.object({
    page: idParams.shape.id.default(1).meta({ type: "integer", description: "Page of the document, from 1" }),
  }),
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [409, 422, 503],
});

const csv = { mediaTypes: ["text/csv; charset=utf-8"] };

export const getBulkResult = call({
  method: "GET",
  path: `${path}/result.csv`,
  summary: "The table again, with each row’s number, the address in its code, and why it was refused",
  access: create,
  params: idParams,
  reply: csv,
  status: 200,
});

export const getBulkRefused = call({
  method: "GET",
  path: `${path}/refused.csv`,
  summary: "Its wrong and refused rows, with a column that says why",
  access: create,
  params: idParams,
  reply: csv,
  status: 200,
});

export const getBulkSealed = call({
  method: "GET",
  path: `${path}/sealed.zip`,
  summary: "The sealed PDFs of the documents that it has issued; 409 until all are sealed",
  access: create,
  params: idParams,
  reply: { mediaTypes: ["application/zip"] },
  status: 200,
  refusals: [409],
});
