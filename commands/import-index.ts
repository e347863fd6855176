import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import Sqlite from "better-sqlite3";
import type { Files } from "#lib/storage/files/files.ts";
import { auditedTables, companyTables } from "./company-tables.ts";

/** A reference to a row that came later than its own. */
type LaterId = { table: string; id: number; column: string; newId: number | null; other: string };

/** The ids that rows of an import had and have now, and the keys of its files: more than memory should hold. */
export type ImportIndex = {
  addId(table: string, oldId: number, newId: number): void;
  newId(table: string, oldId: number): number | undefined;
  addLater(reference: Omit<LaterId, "newId"> & { oldId: number }): void;
  laterIds(): Iterable<LaterId>;
  addFile(key: string): void;
  hasFile(key: string): boolean;
  files(): Iterable<string>;
};

/** The tables that other rows refer to. */
const namedTables = new Set([
  ...Object.values(auditedTables),
  ...Object.values(companyTables).flatMap(({ owner, ids = {}, later = {} }) => [
    owner[1],
    ...Object.values(ids),
    ...Object.values(later),
  ]),
]);

const schema = `
  pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
  create table ids ("table" text, old integer, new integer, primary key ("table", old)) without rowid;
  create table later ("table" text, id integer, "column" text, other text, old integer);
  create table files (key text primary key) without rowid;
  begin`;

/** An index in a file of the work folder, removed after the work. */
export async function withImportIndex<T>(files: Files, work: (index: ImportIndex) => Promise<T>): Promise<T> {
  const path = await files.workPath(`import-${randomUUID()}`);
  const db = new Sqlite(path);
  try {
    db.exec(schema);
    return await work(indexIn(db));
  } finally {
    db.close();
    await rm(path);
  }
}

function indexIn(db: Sqlite.Database): ImportIndex {
  const [addId, newId] = [
    db.prepare("insert or replace into ids values (?, ?, ?)"),
    db.prepare<[string, number], number>(`select new from ids where "table" = ? and old = ?`).pluck(),
  ];
  const addLater = db.prepare("insert into later values (@table, @id, @column, @other, @oldId)");
  const [addFile, hasFile] = [
    db.prepare("insert or ignore into files values (?)"),
    db.prepare<[string]>("select 1 from files where key = ?"),
  ];
  return {
    addId: (table, oldId, id) => void (namedTables.has(table) && addId.run(table, oldId, id)),
    newId: (table, oldId) => newId.get(table, oldId),
    addLater: (reference) => void addLater.run(reference),
    laterIds: () =>
      db
        .prepare<[], LaterId>(
          `select later."table", id, "column", new as newId, other from later
           left join ids on ids."table" = other and ids.old = later.old`,
        )
        .iterate(),
    addFile: (key) => void addFile.run(key),
    hasFile: (key) => hasFile.get(key) !== undefined,
    files: () => db.prepare<[], string>("select key from files").pluck().iterate(),
  };
}
