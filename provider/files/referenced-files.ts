import { dirname } from "node:path";
import { sql } from "kysely";
import type { Db } from "../db/tables.ts";
import { pageKey, sealedKey } from "./derived-files.ts";

/** A file in the store that a record refers to. Files that can be made again from it are none. */
export type ReferencedFile = {
  key: string;
  /** Its record, for operators: `document 12 (NM-4C7H29), page file 3`. */
  of: string;
  /** As recorded. */
  bytes?: number;
  sha256?: string;
  /** Whether its record may drop it, so that it may be gone soon after the record was read. */
  isOptional: boolean;
};

const batchSize = 500;

/**
 * All files that records refer to: uploaded page files, sealed PDFs, pictures, and templates; with a company those of its finished
 * records alone.
 */
export async function* referencedFiles(db: Db, company?: number): AsyncGenerator<ReferencedFile> {
  // A backup may be made of a database that was not migrated yet.
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for await (const documents of inBatches((after) => documentsAfter(db, after, company))) {
    const numbers = new Map(documents.map((document) => [document.id, document]));
    const [first, last] = [documents[0]!.id, documents.at(-1)!.id];
    const sealed = tables.has("sealed_files") ? await sealedFilesFrom(db, first, last) : [];
    const files = [...(await pageFilesFrom(db, first, last)), ...sealed];
    for (const { document_id, bytes, sha256, keyIn, kind } of files) {
      const document = numbers.get(document_id);
      if (!document) continue;
      const of = `document ${document_id} (${document.number}), ${kind}`;
      yield { key: keyIn(document.folder), of, bytes, sha256, isOptional: false };
    }
  }
  for (const table of imageTables) {
    for await (const records of inBatches((after) => imagesAfter(db, table, { after, company }))) {
      for (const { id, key } of records) yield { key: key!, of: `picture of ${table} ${id}`, isOptional: true };
    }
  }
  if (!tables.has("templates") || !tables.has("bulk_issues")) return;
  for await (const templates of inBatches((after) => templatesAfter(db, after, company))) {
    for (const { id, key, bytes } of templates) yield { key, of: `template ${id}`, bytes, isOptional: true };
  }
  if (company !== undefined) return;
  if (tables.has("releases")) yield* filesOfReleases(db);
  for await (const issues of inBatches((after) => archivesAfter(db, after))) {
    for (const { id, archive_key, archive_bytes: bytes, archive_sha256: sha256 } of issues) {
      yield { key: archive_key!, of: `page files of bulk issue ${id}`, bytes, sha256, isOptional: true };
    }
  }
}

/** Page files of what awaits release. */
async function* filesOfReleases(db: Db): AsyncGenerator<ReferencedFile> {
  for await (const releases of inBatches((after) => releasesAfter(db, after))) {
    for (const { id, number, folder, page_files } of releases) {
      const files = JSON.parse(page_files) as { bytes: number; sha256: string }[];
      for (const [index, { bytes, sha256 }] of files.entries()) {
        const of = `release ${id} (${number}), page file ${index + 1}`;
        yield { key: pageKey(folder!, index + 1), of, bytes, sha256, isOptional: true };
      }
    }
  }
}

const releasesAfter = (db: Db, after: number) =>
  db
    .selectFrom("releases")
    .select(["id", "number", "folder", "page_files"])
    .where("state", "!=", "released")
    .where("folder", "is not", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();

/** Page files of bulk issues that are not issued yet. */
const archivesAfter = (db: Db, after: number) =>
  db
    .selectFrom("bulk_issues")
    .select(["id", "archive_key", "archive_bytes", "archive_sha256"])
    .where("archive_key", "is not", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();

/** Of the documents from one id to another. */
async function pageFilesFrom(db: Db, first: number, last: number) {
  const rows = await db
    .selectFrom("page_files")
    .select(["document_id", "n", "bytes", "sha256"])
    .where("document_id", ">=", first)
    .where("document_id", "<=", last)
    .orderBy("document_id")
    .orderBy("n")
    .execute();
  return rows.map((row) => ({
    ...row,
    kind: `page file ${row.n}`,
    keyIn: (folder: string) => pageKey(folder, row.n),
  }));
}

async function sealedFilesFrom(db: Db, first: number, last: number) {
  const rows = await db
    .selectFrom("sealed_files")
    .select(["document_id", "bytes", "sha256"])
    .where("document_id", ">=", first)
    .where("document_id", "<=", last)
    .orderBy("document_id")
    .orderBy("made_at")
    .execute();
  return rows.map((row) => ({
    ...row,
    kind: "sealed PDF",
    keyIn: (folder: string) => sealedKey(folder, row.sha256),
  }));
}

const imageTables = ["companies", "branches", "users"] as const;

/** Reads records in batches in the order of their ids (keyset pagination). */
export async function* inBatches<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await read(0); rows.length > 0; rows = await read(rows.at(-1)!.id)) yield rows;
}

const documentsAfter = (db: Db, after: number, company?: number) =>
  db
    .selectFrom("documents")
    .select(["id", "number", "folder"])
    .$if(company !== undefined, (query) => query.where("company_id", "=", company!))
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();

const imagesAfter = (
  db: Db,
  table: (typeof imageTables)[number],
  { after, company }: { after: number; company?: number | undefined },
) =>
  db
    .selectFrom(table)
    .select(["id", "image_key as key"])
    .$if(company !== undefined, (query) =>
      query.where(table === "companies" ? "id" : sql.ref<number>("company_id"), "=", company!),
    )
    .where("image_key", "is not", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();

const templatesAfter = (db: Db, after: number, company?: number) =>
  db
    .selectFrom("templates")
    .select(["id", "file_key as key", "bytes"])
    .$if(company !== undefined, (query) => query.where("company_id", "=", company!))
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();

/** Whether a record still refers to an optional file. */
export async function isReferenced(db: Db, key: string): Promise<boolean> {
  for (const table of imageTables) {
    const row = await db.selectFrom(table).select("id").where("image_key", "=", key).limit(1).executeTakeFirst();
    if (row) return true;
  }
  const template = await db.selectFrom("templates").select("id").where("file_key", "=", key).executeTakeFirst();
  if (template) return true;
  const ofReleases = db.selectFrom("releases").where("folder", "=", dirname(key)).where("state", "!=", "released");
  if (await ofReleases.select("id").executeTakeFirst()) return true;
  const ofBulkIssue = db.selectFrom("bulk_issues").where("archive_key", "=", key).select("id");
  return (await ofBulkIssue.executeTakeFirst()) !== undefined;
}

/** Clears the references to a missing optional file. */
export async function clearReference(db: Db, key: string) {
  for (const table of imageTables) {
    await db.updateTable(table).set({ image_key: null }).where("image_key", "=", key).execute();
  }
  // Without its file a template is nothing.
  await db.deleteFrom("templates").where("file_key", "=", key).execute();
  // Without its pages nothing can be released.
  const releases = db.deleteFrom("releases").where("folder", "=", dirname(key));
  await releases.where("state", "!=", "released").execute();
  await db.updateTable("bulk_issues").set({ archive_key: null }).where("archive_key", "=", key).execute();
}
