import type { z } from "zod";
import { type Actor, documentsWithin } from "../access.ts";
import { type FoundDocument, foundOfEach, newestFound } from "../contract/search.ts";
import { type CustomValueHit, customValueHits } from "../db/custom-values.ts";
import { documentList } from "../documents/list/index.ts";
import { asRow, documentRows } from "../documents/document-queries.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";

/** Few rows are shown, so that a range scan finds those of a common text before its matches would be sorted. */
const tuning = { newest: newestFound, sortLimit: 500 };

type Sought = { q: string; today: string; named: number | undefined };

/** The document that the text names, the newest with it in name or number, then those with it in a custom field. */
export async function findDocuments(db: Db, actor: Actor, { q, today, named }: Sought) {
  const exact = named === undefined ? [] : await documentRows(db).where("documents.id", "=", named).execute();
  const list = await documentList(db, actor, { name_or_number: q }, { today, tuning });
  const part = await list.part({ size: foundOfEach + 1 });
  const rows = new Map<number, z.input<typeof FoundDocument>>(
    [...exact, ...part.rows].map((row) => [row.id, asRow(row, today)]),
  );
  let { isPartial } = list;
  if (rows.size <= foundOfEach) {
    const values = await customValueHits(db, actor.company_id, q);
    for (const row of await documentsOf(db, actor, values.hits, today)) if (!rows.has(row.id)) rows.set(row.id, row);
    isPartial ||= values.isPartial && rows.size <= foundOfEach;
  }
  return { rows: [...rows.values()], isPartial };
}

/** Documents of custom fields that the actor may read; as many as may have been found by name or number, and one more. */
async function documentsOf(db: Db, actor: Actor, hits: CustomValueHit[], today: string) {
  if (hits.length === 0) return [];
  const ids = hits.map(({ document_id }) => document_id);
  const documents = await documentRows(db)
    .where(documentsWithin(actor, "read"))
    .where(isAmong(db, "documents.id", ids))
    .orderBy("documents.id", "desc")
    .limit(2 * foundOfEach + 1)
    .execute();
  const readableIds = documents.map(({ id }) => id);
  const fields = readableIds.length > 0 ? await fieldsOf(db, readableIds, hits) : [];
  return documents.map((document) => {
    const found_in = fields.find(({ document_id }) => document_id === document.id);
    return {
      ...asRow(document, today),
      ...(found_in && { found_in: { name: found_in.name, value: found_in.value } }),
    };
  });
}

/** The custom fields of some documents that are among the hits. */
async function fieldsOf(db: Db, documents: number[], hits: CustomValueHit[]) {
  const fields = await db
    .selectFrom("custom_fields")
    .where(isAmong(db, "document_id", documents))
    .orderBy("document_id")
    .orderBy("n")
    .select(["document_id", "n", "name", "value"])
    .execute();
  return fields.filter((field) =>
    hits.some(({ document_id, n }) => document_id === field.document_id && n === field.n),
  );
}
