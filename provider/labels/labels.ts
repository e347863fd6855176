import type { Selectable } from "kysely";
import { type Label, smallestSide } from "#lib/page-files/labels/label-layout.ts";
import { fold } from "#lib/text.ts";
import { type Actor, documentsWithin } from "../access.ts";
import { dateIn, dayMonthYear } from "../calendar/calendar.ts";
import { type LabelSheet, maxLabelDocuments, maxLabelFields, ownSheet } from "../contract/label-sheets.ts";
import { type LabelsQuery, maxLabels, sheetOf } from "../contract/labels.ts";
import { withCustomFields } from "../documents/document-queries.ts";
import { documentList } from "../documents/list/index.ts";
import { isAmong } from "../db/lists.ts";
import type { Tables } from "../db/tables.ts";
import { invalid, notFound } from "../http/errors.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";

type Document = Selectable<Tables["documents"]> & { branch: string | null; custom_fields: CustomField[] };
type CustomField = { name: string; value: string };
export type LabelOf = { document: Document; n: number; code: string };

/** The labels of a selection in its order, without those of withdrawn documents and copies. */
export async function chosenLabels(services: Services, actor: Actor, query: LabelsQuery) {
  const { db, now } = services;
  const today = dateIn(actor.timezone, now());
  const documents = await chosenDocuments(services, actor, query, today);
  const labelled = documents.filter((document) => validityOf(document, today) !== "withdrawn");
  const several = labelled.filter(({ copies }) => copies > 1).map(({ id }) => id);
  const copies =
    several.length === 0
      ? []
      : await db
          .selectFrom("document_copies")
          .where(isAmong(db, "document_id", several))
          .where("withdrawn_at", "is", null)
          .$if(query.copies === "first", (rows) => rows.where("n", "=", 1))
          .orderBy("n")
          .select(["document_id", "n", "code"])
          .limit(maxLabels + 1)
          .execute();
  const byDocument = Map.groupBy(copies, ({ document_id }) => document_id);
  const labels: LabelOf[] = labelled.flatMap((document) =>
    document.copies > 1
      ? (byDocument.get(document.id) ?? []).map(({ n, code }) => ({ document, n, code }))
      : [{ document, n: 1, code: document.code }],
  );
  if (labels.length > maxLabels) {
    throw invalid({
      copies: `These are more than ${maxLabels} labels. Choose fewer documents, or the first copy of each`,
    });
  }
  return { labels, leftOut: documents.length - labelled.length };
}

async function chosenDocuments({ db }: Services, actor: Actor, query: LabelsQuery, today: string): Promise<Document[]> {
  const ids = query.all ? await matchingIds({ db }, actor, query, today) : idsOf(query);
  if (ids.length === 0) return [];
  const visible = await db
    .selectFrom("documents")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .selectAll("documents")
    .select("branches.name as branch")
    .where(isAmong(db, "documents.id", ids))
    .where(documentsWithin(actor, "read"))
    .execute();
  const rows = await withCustomFields(db, visible);
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (!query.all && rows.length < ids.length) throw notFound();
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Larger numbers than ids are those of no document. */
const largestId = 2 ** 31 - 1;

function idsOf({ ids }: LabelsQuery) {
  const unique = [...new Set(ids.split(",").filter(Boolean).map(Number))];
  if (unique.some((id) => id > largestId)) throw notFound();
  return unique;
}

async function matchingIds({ db }: Pick<Services, "db">, actor: Actor, query: LabelsQuery, today: string) {
  const { name, email, number, branch, date, date_from, date_to, expires, validity, status = "active,exited" } = query;
  const filters = { name, email, number, branch, date, date_from, date_to, expires, validity, status };
  const list = await documentList(db, actor, filters, { today });
  const { rows } = await list.part({ size: maxLabelDocuments + 1 });
  if (rows.length > maxLabelDocuments) {
    throw invalid({ ids: `These are more than ${maxLabelDocuments} documents. Filter the list to fewer` });
  }
  return rows.map(({ id }) => id);
}

/** The label's texts: the chosen ones, the code, and the copy if there are several. */
export const labelText = (
  { document, n, code }: LabelOf,
  { caption, lines, fields }: Pick<LabelsQuery, "caption" | "lines" | "fields">,
): Omit<Label, "address"> => ({
  ...chosenText({ number: document.number, name: document.name, caption }, lines.split(",")),
  more: moreLines(document, lines.split(","), fields),
  copy: document.copies > 1 ? `Copy ${n} of ${document.copies}` : "",
  code,
});

function moreLines({ branch, expire_date, custom_fields }: Document, lines: string[], fields: string) {
  const named = fields.split("\n").map(fold).slice(0, maxLabelFields);
  const date = expire_date && `Expires ${dayMonthYear(expire_date)}`;
  const custom = custom_fields.filter(({ name }) => named.includes(fold(name)));
  return [
    ...[lines.includes("branch") && branch, lines.includes("date") && date].filter((line) => typeof line === "string"),
    ...custom.map(({ name, value }) => `${name}: ${value}`),
  ].filter(Boolean);
}

const chosenText = (texts: Record<"number" | "name" | "caption", string>, lines: string[]) => ({
  number: lines.includes("number") ? texts.number : "",
  name: lines.includes("name") ? texts.name : "",
  caption: lines.includes("caption") ? texts.caption : "",
});

/** Throws if the labels are too small for the largest code. */
export function checkSize(sheet: LabelSheet, addresses: string[], { sheet: chosen, symbology }: LabelsQuery) {
  const longest = addresses.reduce((one, other) => (other.length > one.length ? other : one), "");
  if (!longest) return;
  const side = smallestSide(longest, symbology);
  if (Math.min(sheet.labelWidth, sheet.labelHeight) >= side) return;
  const least = (Math.ceil(side * 10) / 10).toFixed(1);
  const field = chosen === ownSheet ? (sheet.labelWidth < side ? "label_width" : "label_height") : "sheet";
  throw invalid({ [field]: `These codes need labels of at least ${least} × ${least} mm. Choose larger labels` });
}

/** The chosen sheet, which the query's schema has checked. */
export const chosenSheet = (query: LabelsQuery): LabelSheet => sheetOf(query)!;
