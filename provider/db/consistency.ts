import { sql } from "kysely";
import { TRUE } from "./flags.ts";
import { isAdministratorGroup } from "../access.ts";
import { readCode } from "../documents/codes.ts";
import { areas } from "../contract/permissions.ts";
import { derivedCounters, document, type Invariant, type Violation } from "./derived-counters.ts";
import type { Db } from "./tables.ts";
import { inBatches } from "../files/referenced-files.ts";

/** Invariants of the provider's rows, which the command `verify` checks. */

const invariants: Invariant[] = [
  ...derivedCounters,
  {
    find: sql`select d.id, d.number from documents d
      where not exists (select 1 as one from page_files f where f.document_id = d.id)`,
    describe: (row) => `${document(row)} has no page files`,
  },
  ...["page_files", "custom_fields", "document_copies"].map((parts) => ({
    find: sql<Violation>`select d.id, d.number from documents d join ${sql.table(parts)} p on p.document_id = d.id
      group by d.id having min(p.n) <> 1 or max(p.n) <> count(*)`,
    describe: (row: Violation) => `${document(row)}: its ${parts} are not numbered from 1 without gaps`,
  })),
  {
    find: sql`select d.id, d.number, d.copies as noted, count(c.n) as actual from documents d
      left join document_copies c on c.document_id = d.id
      group by d.id having count(c.n) <> case when d.copies = 1 then 0 else d.copies end`,
    describe: ({ noted, actual, ...row }) => `${document(row)} counts ${noted} copies and has ${actual}`,
  },
  {
    find: sql`select d.id, d.number from document_copies c join documents d on d.code = c.code
      where d.id <> c.document_id or c.n <> 1`,
    describe: (row) => `${document(row)} has the code of a copy that is not its first one`,
  },
  {
    find: sql`select d.id, d.number from documents d join document_copies c on c.document_id = d.id
      where (c.n = 1 and c.code <> d.code) or (c.withdrawn_at is null) <> (c.withdrawn_reason is null)`,
    describe: (row) => `${document(row)} has a copy with another code, or one that is withdrawn without a reason`,
  },
  {
    find: sql`select id, number, status from documents where status not in ('active', 'exited', 'archived')
      or (status = 'archived') <> (status_before_archive is not null)
      or status_before_archive not in ('active', 'exited')`,
    describe: (row) => `${document(row)} has a status that can’t be: ${row.status}`,
  },
  {
    find: sql`select id, number from documents where (expire_type = 'date') <> (expire_date is not null)`,
    describe: (row) => `${document(row)} has an expire date or type without the other`,
  },
  {
    find: sql`select id, status from alerts where status not in (1, 2, 3)`,
    describe: ({ id, status }) => `alert ${id} has a status that can’t be: ${status}`,
  },
  {
    find: sql`select id, case_state from alerts where case_state not in ('new', 'in work', 'fake', 'false alarm', 'done')
      or (status = 3) <> (case_state in ('fake', 'false alarm', 'done'))`,
    describe: ({ id, case_state }) => `alert ${id} has a state that does not go with its status: ${case_state}`,
  },
  ...["companies", "branches", "access_groups", "users"].map((table) => ({
    find: sql<Violation>`select id, active from ${sql.table(table)} where active not in (0, 1)`,
    describe: ({ id, active }: Violation) => `${table} ${id} is neither active nor not: ${active}`,
  })),
  ...(
    [
      ["documents", "branch_id", "branches"],
      ["documents", "owner_id", "users"],
      ["documents", "created_by", "users"],
      ["documents", "access_group_id", "access_groups"],
      ["users", "branch_id", "branches"],
      ["users", "access_group_id", "access_groups"],
      ["branches", "manager_id", "users"],
      ["scans", "document_id", "documents"],
      ["alerts", "document_id", "documents"],
    ] as const
  ).map(([table, column, other]) => ({
    find: sql<Violation>`select r.id from ${sql.table(table)} r join ${sql.table(other)} o on o.id = r.${sql.ref(column)}
      where o.company_id <> r.company_id`,
    describe: ({ id }: Violation) => `${table} ${id} names one of the ${other} of another company`,
  })),
  {
    find: sql`select b.id, b.manager_id as manager from branches b left join users u on u.id = b.manager_id
      where b.manager_id is not null and u.id is null`,
    describe: ({ id, manager }) => `branches ${id} names the user ${manager}, who does not exist`,
  },
];

/** Lines for one kind of fault. */
const maxReported = 100;
const more = "… and more of that kind";

/** Yields a line for each violated invariant. */
export async function* violations(db: Db): AsyncGenerator<string> {
  for (const { find, describe } of invariants) {
    const { rows } = await sql<Violation>`select * from (${find}) as violations limit ${maxReported + 1}`.execute(db);
    for (const row of rows.slice(0, maxReported)) yield describe(row);
    if (rows.length > maxReported) yield more;
  }
  yield* companiesWithoutAdministrator(db);
  yield* invalidCodes(db);
}

/** An invited administrator without a password counts: the invitation can be sent again. */
async function* companiesWithoutAdministrator(db: Db): AsyncGenerator<string> {
  const companies = await db.selectFrom("companies").where("active", "=", TRUE).select("id").execute();
  for (const { id } of companies) {
    const groups = await db
      .selectFrom("access_groups")
      .where("company_id", "=", id)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("users")
            .whereRef("users.access_group_id", "=", "access_groups.id")
            .where("users.active", "=", TRUE)
            .select("users.id"),
        ),
      )
      .select(areas)
      .execute();
    if (!groups.some(isAdministratorGroup)) yield `company ${id} has no active administrator`;
  }
}

/** Documents, each with up to a hundred copies. */
const batchSize = 1000;

/** Codes whose check character is wrong. The lines name the documents and not the codes, which are secrets. */
async function* invalidCodes(db: Db): AsyncGenerator<string> {
  let wrong = 0;
  const documents = db.selectFrom("documents").select(["id", "number", "code"]).orderBy("id").limit(batchSize);
  for await (const rows of inBatches((after) => documents.where("id", ">", after).execute())) {
    const first = rows.map((row) => ({ ...row, n: 1 }));
    for (const { n, code, ...row } of [...first, ...(await furtherCopies(db, rows))]) {
      if (readCode(code) === code) continue;
      if (++wrong > maxReported) return yield more;
      yield `${document(row)} has a code${n > 1 ? ` of copy ${n}` : ""} that can’t be`;
    }
  }
}

/** The copies of documents with neighbouring ids, without the first ones, which have the documents' codes. */
const furtherCopies = (db: Db, documents: { id: number }[]) =>
  db
    .selectFrom("document_copies as copies")
    .innerJoin("documents", "documents.id", "copies.document_id")
    .where("copies.document_id", ">=", documents[0]!.id)
    .where("copies.document_id", "<=", documents.at(-1)!.id)
    .where("copies.n", ">", 1)
    .orderBy("copies.document_id")
    .orderBy("copies.n")
    .select(["documents.id", "number", "copies.n", "copies.code"])
    .execute();
