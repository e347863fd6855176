import { z } from "zod";
import { call } from "./call.ts";
import { idParams, instant, listQuery, optionalId } from "./fields.ts";
import { TableFacts, tableReading } from "./table-reading.ts";

/** Users and branches from a CSV or XLSX file: a preview by row and field first, which is then applied. */

const importKinds = ["users", "branches"] as const;
export type ImportKind = (typeof importKinds)[number];

/** `running` until each row was applied or refused. */
const importStatuses = ["ready", "running", "done"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** New and changed rows become added, saved or refused once they are applied. */
const importRowStates = ["new", "changed", "unchanged", "refused", "added", "saved"] as const;
export type ImportRowState = (typeof importRowStates)[number];

const kind = z.enum(importKinds, "Choose what the file has: users or branches");

export const Import = z
  .object({
    id: z.int(),
    kind,
    file: z.string().meta({ description: "The file's name" }),
    status: z.enum(importStatuses),
    table: TableFacts.nullable().default(null).meta({ description: "How the file was read" }),
    columns: z.array(z.string()).meta({ description: "The file's columns, in order" }),
    ignored: z.array(z.string()).meta({ description: "Those of them that are not imported" }),
    counts: z
      .object(Object.fromEntries(importRowStates.map((state) => [state, z.int()])) as Record<ImportRowState, z.ZodInt>)
      .meta({ description: "How many rows are in each state" }),
    needs_proof: z
      .boolean()
      .meta({ description: "Whether it gives rights, or changes an email address that a user signs in with" }),
    waiting: z.string().meta({ description: "What a running import waits for before it goes on by itself, or empty" }),
    waits_until: instant.meta({ description: "When it goes on, or empty" }),
    invitations: z
      .object({ an_hour: z.int(), a_day: z.int() })
      .meta({ description: "How many new users are invited before a running import waits" }),
    created_at: instant,
    expires_at: instant.unwrap().meta({ description: "When it is deleted, with what was not applied" }),
  })
  .meta({ id: "Import", description: "A file of users or branches, and how far it was applied" });
export type Import = z.output<typeof Import>;

export const ImportRow = z
  .object({
    id: z.int(),
    line: z.int().meta({ description: "The row's number in the file, as spreadsheets count" }),
    record_id: z.int().nullable().meta({ description: "The record that it changes, or became" }),
    name: z.string(),
    state: z.enum(importRowStates),
    why: z.string().meta({ description: "Why it was refused" }),
    changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    cells: z.array(z.string()).meta({ description: "As in the file, by its columns" }),
  })
  .meta({ id: "ImportRow", description: "A row of an import" });
export type ImportRow = z.output<typeof ImportRow>;

export const createImport = call({
  method: "POST",
  path: "/imports",
  summary:
    "Read a file of users or branches, and preview what it would change; the file is stored until the import is applied",
  access: "signed-in",
  body: z.object({
    kind,
    ...tableReading,
    again: optionalId("Choose an import of yours").meta({
      description: "Without a file: the caller’s import whose file is read again, and which this one replaces",
    }),
  }),
  file: "file",
  fileIsOptional: true,
  reply: Import,
  status: 201,
  refusals: [404, 409, 413, 429, 503],
});

export const getImport = call({
  method: "GET",
  path: "/imports/{id}",
  summary: "One of the caller's own imports",
  access: "signed-in",
  params: idParams,
  reply: Import,
  status: 200,
  refusals: [],
});

export const listImportRows = call({
  method: "GET",
  path: "/imports/{id}/rows",
  summary: "The rows of an import, by line",
  access: "signed-in",
  params: idParams,
  query: listQuery(["line"]).extend({ state: z.enum(["", ...importRowStates]).optional() }),
  reply: z.array(ImportRow),
  status: 200,
});

export const applyImport = call({
  method: "POST",
  path: "/imports/{id}/apply",
  summary:
    "Apply an import, with a proof where it needs one: a job saves each row that is new or changed, or says why not",
  access: "signed-in",
  params: idParams,
  reply: Import,
  status: 200,
  refusals: [409, 429],
});
