import { z } from "zod";
import { call } from "./call.ts";
import { placingOr } from "./document-form.ts";
import { filter, idParams, instant, listQuery, uniqueName, version } from "./fields.ts";

/** PDFs that are filled from rows of a table. */

/** Of a company. */
export const maxTemplates = 200;
/** Of a template. */
const maxValueLength = 2000;
/** As many as a form’s 200 fields can carry. */
export const maxTriedColumns = 95;

const TemplateColumn = z.object({
  name: z
    .string()
    .default("")
    .meta({ description: "As in the form field’s name, or in double braces in its value or in the text of a page" }),
  kind: z.enum(["text", "check box", "radio buttons", "choice"]),
  page: z.int().default(1).meta({ description: "The first page that shows it, from 1" }),
  options: z
    .array(z.string())
    .default([])
    .meta({ description: "What it may be, or of radio buttons which one is chosen; empty for any text" }),
});
export type TemplateColumn = z.output<typeof TemplateColumn>;

export const Template = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    pages: z.int().default(1),
    bytes: z.int().default(0),
    columns: z.array(TemplateColumn).default([]),
    notes: z
      .array(z.string())
      .default([])
      .meta({ description: "Sentences on what the file has and PDFs made of it have not" }),
    qr_placing: z.string().default("").meta({ description: "As of documents; empty: as each bulk issue says" }),
    width: z.number().default(0).meta({ description: "Of the first page in points; 0 if it is not known" }),
    height: z.number().default(0),
    version: z.int().default(1).meta({ description: "One more for each file that replaced another" }),
    created_at: instant,
    changed_at: instant,
  })
  .meta({ id: "Template", description: "A PDF that is filled from rows of a table" });
export type Template = z.output<typeof Template>;

const use = { area: "docs", right: "create" } as const;
/** In the scope of the company, and with the right to create documents. */
const change = { area: "docs", right: "write" } as const;

const name = uniqueName("name", 100);
const qr_placing = placingOr("")
  .optional()
  .meta({ description: "What a bulk issue takes when this template is chosen; empty: nothing. As it was if omitted" });

export const listTemplates = call({
  method: "GET",
  path: "/templates",
  summary: "The company's templates",
  access: use,
  query: listQuery(["name"]).extend({ name: filter }),
  reply: z.array(Template),
  status: 200,
});

export const getTemplate = call({
  method: "GET",
  path: "/templates/{id}",
  summary: "One template with its columns",
  access: use,
  params: idParams,
  reply: Template,
  status: 200,
});

export const createTemplate = call({
  method: "POST",
  path: "/templates",
  summary:
    "Add a template: a PDF with form fields, or columns in double braces in its text. For users who may write and create documents of the whole company",
  access: change,
  body: z.object({ name, qr_placing }),
  file: "file",
  reply: Template,
  status: 201,
  refusals: [409, 413, 503],
});

export const updateTemplate = call({
  method: "PUT",
  path: "/templates/{id}",
  summary: "Rename a template, and replace its file where the form has one",
  access: change,
  params: idParams,
  body: z.object({ name, qr_placing, version: version.optional() }),
  file: "file",
  fileIsOptional: true,
  reply: Template,
  status: 200,
  refusals: [409, 413, 503],
});

export const removeTemplate = call({
  method: "DELETE",
  path: "/templates/{id}",
  summary: "Remove a template; documents that were made with it stay",
  access: change,
  params: idParams,
  reply: null,
  status: 204,
});

export const getTemplatePreview = call({
  method: "GET",
  path: "/templates/{id}/preview",
  summary: "An image of a template’s first page",
  access: use,
  params: idParams,
  query: z.object({ size: z.enum(["small", "large"]).default("small") }),
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [422, 503],
});

export const fillTemplate = call({
  method: "POST",
  path: "/templates/{id}/fill",
  summary: "Fill a template once, as a try: nothing is stored",
  access: use,
  params: idParams,
  body: z.object({
    values: z
      .array(
        z.object({
          column: z.string().max(200),
          value: z.string().max(maxValueLength, `Shorten this to ${maxValueLength} characters`).default(""),
        }),
      )
      .max(maxTriedColumns, `Give at most ${maxTriedColumns} values`)
      .default([])
      .meta({ description: "A column without a value stays empty" }),
  }),
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [409, 503],
});
