import { insertRows, settleTables, withoutIndexesAndTriggers } from "#lib/storage/database/bulk-load.ts";
import { setCounters } from "#lib/storage/database/rows.ts";
import { fold } from "#lib/text.ts";
import type { Area } from "../contract/permissions.ts";
import { hashPassword } from "../passwords/passwords.ts";
import type { Services } from "../services.ts";
import { everyArea, insertCompany, nameColumns, newUser } from "../sessions/signup.ts";
import { makeBatch } from "./sample-many.ts";
import type { Batch, Issuing, NextIds } from "./sample-many-documents.ts";
import { rebuildDerivedTables } from "../db/derived-tables.ts";
import { sampleSignIn } from "./seed.ts";
import type { Db } from "../db/tables.ts";

type Filling = {
  /** Of the large company. */
  documents: number;
  /** Small companies beside it. */
  companies: number;
};

const documentsOfSmall = 1000;
const [branchCount, userCount] = [24, 120];

/** Sign-ins of each company, with the password of the sample company. */
export const filledSignIns = (company: string) => ({
  administrator: `admin@${company}.example`,
  /** Reads one branch's documents, except for those of another group. */
  branch: `branch@${company}.example`,
  /** Reads the whole company's, except for those of another group. */
  member: `member@${company}.example`,
});

/** `large`, `small-1` and so on: the domain of the company's addresses. */
const nameOf = (n: number) => (n === 0 ? "large" : `small-${n}`);

/** Fills an empty database with a large company and some small ones, for measuring. Page files have no bytes. */
export async function seedMany(services: Services, { documents, companies }: Filling, log: (line: string) => void) {
  const password_hash = await hashPassword(sampleSignIn.password);
  const ids = { document: 1, scan: 1, alert: 1 };
  const total = documents + companies * documentsOfSmall;
  await withoutIndexesAndTriggers(services.db, [...filled], async () => {
    for (let n = 0; n <= companies; n++) {
      const issuing = await seedCompany(services, nameOf(n), n === 0 ? documents : documentsOfSmall, password_hash);
      await seedDocuments(services.db, issuing, ids, () => log(`${ids.document - 1} of ${total} documents`));
    }
    log("Building the indexes");
  });
  await rebuildDerivedTables(services.db);
  // These alerts cause no mails.
  await services.db.updateTable("users").set({ alerts_told: ids.alert }).execute();
  await setCounters(services.db, { documents: ids.document - 1, scans: ids.scan - 1, alerts: ids.alert - 1 });
  await settleTables(services.db);
}

/** The tables of a batch, each after the tables it references. */
const filled = ["documents", "page_files", "custom_fields", "audit", "scans", "alerts", "alert_scans"] as const;

/** Documents that are made without a pause, inserted by a statement, and committed by a transaction. */
const [batchDocuments, statementDocuments, transactionDocuments] = [250, 5000, 100_000];

async function seedDocuments(db: Db, issuing: Issuing, ids: NextIds, onProgress: () => void) {
  const { company_id, count } = issuing;
  let [pages, stored_bytes] = [0, 0];
  for (let begin = 0; begin < count; begin += transactionDocuments) {
    const end = Math.min(begin + transactionDocuments, count);
    await db.transaction().execute(async (transaction) => {
      // The next rows are made while PostgreSQL inserts.
      let batches = await makeBatches(issuing, begin, end, ids);
      for (let from = begin; from < end; from += statementDocuments) {
        const next = makeBatches(issuing, from + statementDocuments, end, ids);
        pages += batches.flatMap(({ documents }) => documents).reduce((sum, document) => sum + document.pages, 0);
        stored_bytes += batches.flatMap(({ page_files }) => page_files).reduce((sum, file) => sum + file.bytes, 0);
        [batches] = await Promise.all([next, insertAll(transaction, batches)]);
      }
      const counters = { documents: end, pages, stored_bytes };
      await transaction.updateTable("companies").set(counters).where("id", "=", company_id).execute();
    });
    onProgress();
  }
}

/** Batches for one statement, from document `from`. */
async function makeBatches(issuing: Issuing, from: number, end: number, ids: NextIds) {
  const batches: Batch[] = [];
  const last = Math.min(from + statementDocuments, end);
  for (let n = from; n < last; n += batchDocuments) {
    batches.push(makeBatch(issuing, { from: n, to: Math.min(n + batchDocuments, last) }, ids));
  }
  return batches;
}

async function insertAll(db: Db, batches: Batch[]) {
  for (const table of filled) {
    const rows = batches.flatMap((batch): Record<string, unknown>[] => batch[table]);
    await insertRows(db, table, rows);
  }
}

/** A company with its branches, access groups and users. */
async function seedCompany(
  { db, now }: Services,
  name: string,
  count: number,
  password_hash: string,
): Promise<Issuing> {
  const signIns = filledSignIns(name);
  const founder = { company: `Company ${name}`, name: "Ada Admin", email: signIns.administrator };
  const administrator = await insertCompany(db, founder, password_hash, now());
  const { company_id } = await db
    .selectFrom("users")
    .where("id", "=", administrator)
    .select("company_id")
    .executeTakeFirstOrThrow();
  const none: Record<Area, string> = everyArea("");
  const readers = { ...none, alerts: "C:R", map: "C:R", users: "C:R", branches: "C:R" };
  const group = (title: string, docs: string, scope = readers) => ({
    ...scope,
    docs,
    company_id,
    name: title,
    name_key: fold(title),
    version: 1,
  });
  const near = { ...none, alerts: "B:R", map: "B:R", users: "B:R", branches: "B:R" };
  await insertRows(db, "access_groups", [
    group("Branch clerks", "B:R/W/C", near),
    ...Array.from({ length: 6 }, (_, n) => group(`Members ${n + 1}`, "C:R/W/C")),
  ]);
  const contact = { email: "", phone: "", country: "United Kingdom", city: "Preston", index: "PR1", address: "" };
  await insertRows(
    db,
    "branches",
    Array.from({ length: branchCount }, (_, n) => {
      const title = `Branch ${String(n + 1).padStart(2, "0")}`;
      const rest = { image_key: null, manager_id: null, active: 1, version: 1 };
      return { ...contact, ...rest, company_id, name: title, name_key: fold(title) };
    }),
  );
  const idsOf = async (table: "branches" | "access_groups") =>
    (await db.selectFrom(table).where("company_id", "=", company_id).orderBy("id").select("id").execute()).map(
      ({ id }) => id,
    );
  const [branches, groups] = [await idsOf("branches"), await idsOf("access_groups")];
  const [clerks, members] = [groups.at(-7)!, groups.at(-6)!];
  const user = (n: number, email: string, access_group_id: number) => ({
    ...newUser,
    ...nameColumns(`User ${String(n).padStart(3, "0")}`, email),
    company_id,
    branch_id: branches[n % branches.length]!,
    access_group_id,
    password_hash,
    created_at: now().toISOString(),
  });
  await insertRows(db, "users", [
    user(0, signIns.branch, clerks),
    user(1, signIns.member, members),
    ...Array.from({ length: userCount }, (_, n) =>
      user(n + 2, `user-${n + 2}@${name}.example`, groups[n % groups.length]!),
    ),
  ]);
  const owners = await db
    .selectFrom("users")
    .where("company_id", "=", company_id)
    .where("branch_id", "is not", null)
    .select(["id", "name", "branch_id"])
    .execute();
  return { company_id, owners, groups: groups.slice(-6), count, today: now().getTime() };
}
