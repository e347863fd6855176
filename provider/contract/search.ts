import { z } from "zod";
import { Alert } from "./alerts.ts";
import { Branch } from "./branches.ts";
import { call } from "./call.ts";
import { CustomField, DocumentRow } from "./documents.ts";
import { filter } from "./fields.ts";
import { HelpItem } from "./help.ts";
import { User } from "./users.ts";

/** How many of each kind a search returns. */
export const foundOfEach = 5;

/** Texts of one or two letters are searched among this many of the newest documents, longer ones among all. */
export const newestFound = 2000;

const listOf = <Row extends z.ZodType>(row: Row, description: string) =>
  z
    .object({
      rows: z.array(row).default([]),
      more: z.boolean().default(false).meta({ description: "Whether there are others" }),
    })
    .default({ rows: [], more: false })
    .meta({ description });

export const FoundDocument = DocumentRow.extend({
  found_in: CustomField.optional().meta({
    description: "The custom field that has the text, if neither name nor number has it",
  }),
}).meta({ id: "FoundDocument", description: "A document as found by a search" });
export type FoundDocument = z.output<typeof FoundDocument>;

const Found = z
  .object({
    exact: z
      .object({ kind: z.enum(["document", "alert", "user"]), id: z.int() })
      .nullable()
      .default(null)
      .meta({
        description:
          "The record that the text names: by a document’s number, the code or address of one or of a copy, an alert’s number, or a user’s email address",
      }),
    mistyped: z.boolean().default(false).meta({ description: "Whether the text is a code with a wrong character" }),
    is_partial: z.boolean().default(false).meta({ description: "Whether only the newest documents were searched" }),
    documents: listOf(FoundDocument, "By name, number or custom field, in the archive as well"),
    users: listOf(User, "Active ones, by name or email address"),
    branches: listOf(Branch, "By name"),
    alerts: listOf(Alert, "By number, or by the document’s name"),
    help: listOf(HelpItem, "By question or answer"),
  })
  .meta({ id: "Found", description: `The first ${foundOfEach} of each kind that the user may see` });
export type Found = z.output<typeof Found>;

export const search = call({
  method: "GET",
  path: "/search",
  summary: "Documents, users, branches, alerts and help that match a text",
  access: "signed-in",
  keys: true,
  query: z.object({
    q: filter.meta({ description: "A text, number, code, address of a code, or email address" }),
  }),
  reply: Found,
  status: 200,
});
