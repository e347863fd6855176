import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Keys of names and numbers as `fold` compares them since, and by which document numbers are found that are read alike. Records
 * that had names or numbers of their own only by what is no longer compared keep them: the later ones have keys of their own.
 */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const run = (statement: string) => sql.raw(statement).execute(db);
  for (const { table, owner, condition } of uniqueNames) await foldNames(db, table, owner, condition);
  await run(`update users set name_key = fold(name) where name_key <> fold(name) and name_key not like '%\u007F%'`);
  await run("alter table documents add column number_read text not null default ''");
  await run("drop index documents_by_number");
  await run("drop index documents_by_printed_number");
  await run("update documents set name_key = fold(name) where name_key <> fold(name)");
  await run("update documents set number_key = fold(number) where number_key <> fold(number)");
  await separateNumbers(db);
  await readNumbers(db, isPostgres);
  // By number first: verification by number alone names no company.
  await run("create unique index documents_by_number on documents (number_read, company_id, number_key)");
  for (const statement of isPostgres ? postgresValues : sqliteValues) await run(statement);
}

const uniqueNames = [
  { table: "branches", owner: "company_id", condition: "active = 1" },
  { table: "access_groups", owner: "company_id", condition: "active = 1" },
  { table: "templates", owner: "company_id", condition: "1 = 1" },
  { table: "saved_views", owner: "user_id || ' ' || list", condition: "1 = 1" },
];

type Named = { id: number; owner: number | string; before: string; key: string };

async function foldNames(db: Kysely<unknown>, table: string, owner: string, condition: string) {
  const { rows } = await sql<Named>`select id, ${sql.raw(owner)} as owner, name_key as before, fold(name) as key
    from ${sql.table(table)} where ${sql.raw(condition)} order by id`.execute(db);
  const used = new Set<string>();
  const changed = rows.flatMap(({ id, owner: of, before, key }) => {
    const isUsed = used.has(`${of} ${key}`);
    used.add(`${of} ${key}`);
    const name_key = isUsed ? `${key}\u007F${id}` : key;
    return name_key === before ? [] : { id, name_key };
  });
  const set = (id: number, key: string) =>
    sql`update ${sql.table(table)} set name_key = ${key} where id = ${id}`.execute(db);
  // A key may be another's until that has its own.
  for (const { id } of changed) await set(id, `\u007F${id}`);
  for (const { id, name_key } of changed) await set(id, name_key);
}

async function separateNumbers(db: Kysely<unknown>) {
  const { rows } = await sql<{ id: number; key: string }>`select d.id, d.number_key as key from documents d
    join (select company_id, number_key, min(id) as first from documents group by company_id, number_key
      having count(*) > 1) alike on alike.company_id = d.company_id and alike.number_key = d.number_key
    where d.id <> alike.first`.execute(db);
  for (const { id, key } of rows) {
    await sql`update documents set number_key = ${`${key}\u007F${id}`} where id = ${id}`.execute(db);
  }
}

const atOnce = 5000;

async function readNumbers(db: Kysely<unknown>, isPostgres: boolean) {
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number; key: string }>`select id, fold(number) as key from documents
      where id > ${last} order by id limit ${atOnce}`.execute(db);
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    const read = JSON.stringify(rows.map(({ id, key }) => ({ id, read: readingOf(key) })));
    await (
      isPostgres
        ? sql`update documents set number_read = v.read from json_to_recordset(${read}::json) as v (id integer, read text)
          where documents.id = v.id`
        : sql`update documents set number_read = value ->> 'read' from json_each(${read})
          where documents.id = value ->> 'id'`
    ).execute(db);
  }
}

const gap = "[^\\p{L}\\p{M}\\p{N}]*";
const paper = "document|doc|dokument|dok|documento|belge|документ|दस्तावेज|文件|文档|证书|合同";
const word =
  "number|num|nummer|numero|numer|nr|no|n[.°]\\s*o?|номер|ном|numarasi|numara|sayi|رقم|संख्या|नंबर|क्रमांक|编号|号码|第";
const ofPaper = `${gap}(?:(?:of|de|do|du|del|di|des)\\b${gap})?(?:the )?(?:document|documento|dokuments|dokumentu|документа|المستند|الوثيقه)`;
const numberWords = new RegExp(
  `^${gap}(?:(?:${paper})${gap})?(?:${word})(?:${ofPaper})?(?![\\p{L}\\p{M}])${gap}(?=.*\\p{N})`,
  "u",
);
const [alike, latin] = [
  "авекмнорстухіѕјїќαβεζηικμνορτυχзԛԝԁһӏѵүԍօɑɡȷɩǀϳ",
  "abekmhopctyxisjikabezhikmnoptyx3qwdhlvygoagjllj",
];
const lookAlikes = new RegExp(`[${alike}]`, "g");

/** As `documents/numbers.ts` read a number when this migration was released. */
function readingOf(key: string) {
  const read = key
    .replace(numberWords, "")
    .replace(/(?<=\p{N})[号號]$/u, "")
    .replace(lookAlikes, (letter) => latin[alike.indexOf(letter)] ?? letter)
    .replace(/o/g, "0")
    .replace(/[il]/g, "1")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return read || key;
}

const valuesOfFields = "from custom_fields f join documents d on d.id = f.document_id";
const postgresValues = [
  "delete from custom_values",
  `insert into custom_values (company_id, document_id, n, value_key)
   select d.company_id, f.document_id, f.n, fold(f.value) ${valuesOfFields}`,
];
const sqliteValues = [
  "insert into custom_values (custom_values) values ('delete-all')",
  `insert into custom_values (rowid, value_key)
   select (d.company_id << 37) | (f.document_id << 6) | f.n, fold(f.value) ${valuesOfFields}
   order by d.company_id, f.document_id, f.n`,
];
