import { z } from "zod";
import { call } from "./call.ts";
import { listDocuments } from "./documents.ts";
import { countUpTo, flag, longText, text } from "./fields.ts";
import {
  type LabelSheet,
  labelSheets,
  type OwnField,
  ownFields,
  ownSheet,
  sheetErrors,
  sheetNames,
  labelLineNames,
  maxLabelDocuments,
  maxLabelFields,
} from "./label-sheets.ts";

export const maxLabels = 2000;
const maxPerSheet = 1000;

const idList = new RegExp(`^(\\d{1,10}(,\\d{1,10}){0,${maxLabelDocuments - 1}})?$`);

const line = labelLineNames.join("|");
/** Empty parameters are left out of queries, so that none has a word. */
export const noLines = "none";
const lineList = new RegExp(`^(${noLines}|(${line})(,(${line})){0,${labelLineNames.length - 1}})$`);

const size = (label: string, { min, max }: { min: number; max: number }) => {
  const refusal = `Enter the ${label} in millimetres, from ${min} to ${max}`;
  const typed = z
    .string()
    .trim()
    .regex(/^(\d{1,4}([.,]\d{1,4})?)?$/, refusal);
  return z
    .union(
      [typed.transform((value) => (value === "" ? undefined : Number(value.replace(",", ".")))), z.number()],
      refusal,
    )
    .refine((value) => value === undefined || (value >= min && value <= max), refusal)
    .optional()
    .meta({ type: "number", description: "Of an own sheet, in millimetres" });
};
const count = (label: string, max: number) =>
  z
    .union(
      [z.literal("").transform(() => undefined), countUpTo(max, `Enter how many ${label}, from 1 to ${max}`)],
      `Enter how many ${label}, from 1 to ${max}`,
    )
    .optional()
    .meta({ type: "integer", description: "Of an own sheet" });

const ownSizes = {
  page_width: size("page’s width", { min: 30, max: 500 }),
  page_height: size("page’s height", { min: 30, max: 500 }),
  columns: count("columns", 30),
  rows: count("rows", 50),
  label_width: size("label’s width", { min: 10, max: 500 }),
  label_height: size("label’s height", { min: 10, max: 500 }),
  margin_left: size("left margin", { min: 0, max: 300 }),
  margin_top: size("top margin", { min: 0, max: 300 }),
  pitch_x: size("pitch across", { min: 10, max: 500 }),
  pitch_y: size("pitch down", { min: 10, max: 500 }),
};

const { name, email, number, branch, date, date_from, date_to, expires, status, validity, mail } =
  listDocuments.query.shape;

const LabelsQuery = z
  .object({
    ids: z
      .string()
      .trim()
      .regex(idList, `Choose up to ${maxLabelDocuments} documents`)
      .default("")
      .meta({ description: `Documents by id, with commas, up to ${maxLabelDocuments}` }),
    all: flag.meta({ description: "1: all documents that the filters leave, as in the list" }),
    name,
    email,
    number,
    branch,
    date,
    date_from,
    date_to,
    expires,
    status,
    validity,
    mail,
    copies: z.enum(["all", "first"]).default("all").meta({ description: "All copies of each document, or the first" }),
    sheet: z
      .enum([...sheetNames, ownSheet], "Choose a sheet")
      .default("L7160")
      .meta({ description: "Avery’s number, or own for a sheet of the sizes below" }),
    ...ownSizes,
    start: countUpTo(maxPerSheet, "Enter the number of a label on the sheet, from 1")
      .default(1)
      .meta({ type: "integer", description: "The first label to print, counted by rows" }),
    caption: text("caption", 60).default("Scan to verify"),
    lines: z
      .string()
      .trim()
      .regex(lineList, `Choose lines from ${labelLineNames.join(", ")}`)
      .default("number,name,caption")
      .meta({
        description:
          "What stands beside the code and its characters: number, name, branch, date (on which it expires), caption, " +
          "with commas, or none",
      }),
    fields: longText("custom fields", 1000).meta({
      description: `Names of custom fields that stand there too, one a line, up to ${maxLabelFields}`,
    }),
    symbology: z
      .enum(["qr", "data-matrix"])
      .default("qr")
      .meta({ description: "data-matrix is smaller, and many telephones can’t read it" }),
    logo: flag.meta({ description: "1: with the company’s image" }),
    preview: flag.meta({ description: "1: the first sheet as a picture, in place of the PDF" }),
  })
  .superRefine((query, { addIssue }) => {
    if (query.sheet === ownSheet) {
      for (const field of Object.keys(ownFields) as OwnField[]) {
        if (query[field] === undefined) addIssue({ code: "custom", path: [field], message: missing(field) });
      }
    }
    const sheet = sheetOf(query);
    if (!sheet) return;
    for (const [field, message] of Object.entries(sheetErrors(sheet)))
      addIssue({ code: "custom", path: [field], message });
    const labels = sheet.columns * sheet.rows;
    if (query.start > labels)
      addIssue({ code: "custom", path: ["start"], message: `This sheet has ${labels} labels: enter one of them` });
  });

const missing = (field: OwnField) =>
  `Enter the ${field.replaceAll("_", " ").replace(/ x$/, " across").replace(/ y$/, " down")}`;

type SheetQuery = { sheet: string } & Partial<Record<OwnField, number | undefined>>;

/** The chosen sheet; undefined while a size of an own one is missing. */
export function sheetOf(query: SheetQuery): LabelSheet | undefined {
  if (query.sheet !== ownSheet) return labelSheets[query.sheet as keyof typeof labelSheets].sheet;
  const sizes = Object.entries(ownFields).map(([field, key]) => [key, query[field as OwnField]] as const);
  return sizes.every(([, value]) => value !== undefined) ? (Object.fromEntries(sizes) as LabelSheet) : undefined;
}

export type LabelsQuery = z.output<typeof LabelsQuery>;

const readAccess = { area: "docs", right: "read" } as const;

export const LabelPlan = z
  .object({
    documents: z.int().meta({ description: "Documents with a label" }),
    left_out: z.int().meta({ description: "Withdrawn documents, which get none" }),
    labels: z.int(),
    sheets: z.int(),
    names: z.array(z.string()).meta({ description: "Of the first documents" }),
    lines: z
      .array(z.string())
      .default([])
      .meta({ description: "The text of the first label, as far as there is room on it" }),
    custom_fields: z
      .array(z.string())
      .default([])
      .meta({ description: "Names of custom fields that its documents have" }),
  })
  .meta({ id: "LabelPlan", description: "What labels would be printed" });
export type LabelPlan = z.output<typeof LabelPlan>;

export const planLabels = call({
  method: "GET",
  path: "/labels",
  summary: "How many labels a selection of documents gets, with the refusals of its PDF",
  access: readAccess,
  query: LabelsQuery,
  reply: LabelPlan,
  status: 200,
  refusals: [404, 422],
});

export const getLabels = call({
  method: "GET",
  path: "/labels.pdf",
  summary: `Labels with the codes of documents and chosen texts, to print and stick; up to ${maxLabels}`,
  access: readAccess,
  query: LabelsQuery,
  reply: { mediaTypes: ["application/pdf", "image/webp"] },
  status: 200,
  refusals: [404, 422, 503],
});
