import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { draftMigrations } from "#app/server/drafts/tables.ts";
import { emptyDatabase, hasDatabase } from "#fixtures/database.ts";
import { schemaOf } from "#fixtures/schema.ts";
import { isPostgres } from "#storage/dialect.ts";
import { migrateWithin } from "#storage/migrate.ts";
import { jobMigrations } from "#storage/job-table.ts";
import { migrations } from "./migrations.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The first 16 hexadecimal digits of each released migration's SHA-256. */
const released = {
  "provider/db/migrations": {
    all: migrations,
    hashes: {
      "001_first_tables": "2b3dab4075eaee62",
      "002_outbox_and_jobs": "008b7c0961fbd507",
      "003_search": "27c7e46d0e7fe296",
      "004_search_by_lots": "30a1d6261baf6d1a",
      "005_documents_by_month": "2ee41c022e0788c1",
      "006_stored_bytes": "2e2c2d951dfbbf2a",
      "007_known_browsers": "e1a6420aa98f1145",
      "009_pages_to_draw": "520b42a25d5d8e93",
      "010_email_changes": "34fe5a5a19a85596",
      "011_access_audit": "2c1edb197293639e",
      "012_verdicts_and_reopening": "a0117fda01b816e8",
      "013_documents_by_expire_date": "ba0d85f2a7c2617b",
      "014_invited_at": "7e3e9377b290e990",
      "015_seal_keys": "75b232c05cec0dff",
      "016_sealed_files": "66243384d966b4a0",
      "017_signed_codes": "0bb6417ee50dbb73",
      "018_file_checks": "26a4211bb40e26e6",
      "019_copies": "f613550515b9eb15",
      "020_status_lists": "ff1bd38312e2577e",
      "021_next_keys": "3bbaf4cc0f3437ab",
      "022_removed_root_keys": "49e38ea9db1d852a",
      "023_custom_value_search": "beef07a6349882e9",
      "024_bulk_actions": "654bfa2f4c6e46d5",
      "025_withdrawals": "ace63bb15df2e2fa",
      "026_alert_cases": "c37bfcb93cb266c5",
      "027_templates": "dafe1040beeca228",
      "028_bulk_issues": "b901aaca17ebc892",
      "029_imports": "0ce24bdf8b73f076",
      "030_saved_views": "d93c032fed14a1d5",
      "031_alert_rules": "cebae7a7d96d0e7d",
      "035_single_sign_on": "181f858705ae1c76",
      "036_api_keys": "e4fe7ab0b4e25c31",
      "037_webhooks": "a18f448e6977191a",
      "038_second_factors": "0d42ea890797fa26",
      "039_passkeys": "c7d74b46f043e123",
      "040_languages": "895505eeceb1d8cc",
      "041_scans_to_judge": "05509d24b2fc62b9",
      "042_scans_by_month": "b7103103c78b1fd4",
      "043_reach_counters": "04a413d902c6e7c8",
      "044_scans_by_place": "8c95ecb4e276cb62",
      "045_scans_to_judge_by_company": "ab596d6e7849978a",
      "046_saved_views_by_company": "0b5a0234afed8e5b",
      "047_map_of_suspicions": "1f4696dfebbfedd8",
      "048_figures_of_alerts": "acb688f5251841a0",
      "049_tables_read": "70bc76ea4da6b433",
      "050_text_read_alike": "25ea74ecc6190eaf",
      "051_proved_emails": "60ac0cc2917cf1ba",
      "052_notes": "c8d992419f879678",
      "053_covered": "10b07b01f9c0c8c9",
    },
  },
  "app/server/drafts/migrations": {
    all: draftMigrations,
    hashes: {
      "001_drafts": "8468428c924facb2",
      "002_draft_limits": "e75d490fbc2c8ccb",
      "003_notes": "a76516447c12a9a5",
      "004_covered": "58d6e3debeafe9db",
    },
  },
  "storage/migrations": { all: jobMigrations, hashes: { "001_jobs": "62bce800938b7fac" } },
};

const hashOf = (folder: string, name: string) =>
  createHash("sha256")
    .update(readFileSync(join(folder, `${name}.ts`)))
    .digest("hex")
    .slice(0, 16);

describe.each(Object.entries(released))("%s", (folder, { all, hashes }) => {
  test("never changes a released migration", () => {
    for (const [name, hash] of Object.entries(hashes)) {
      expect(
        hashOf(folder, name),
        `${folder}/${name}.ts is released: databases have been through it. Leave it as it was and add a new migration.`,
      ).toBe(hash);
    }
  });

  test("has a hash for each migration", () => {
    for (const name of Object.keys(all)) {
      const missing = `add "${name}": "${hashOf(folder, name)}" to the hashes of this test`;
      expect(Object.keys(hashes), missing).toContain(name);
    }
    expect(Object.keys(hashes)).toEqual(Object.keys(all));
  });

  test("imports nothing of ours in a migration", () => {
    for (const name of Object.keys(all)) {
      const content = readFileSync(join(folder, `${name}.ts`), "utf8");
      expect([...content.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from)).toEqual(["kysely"]);
    }
  });
});

async function newDatabase() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-migrations-"));
  const { open, drop } = await emptyDatabase(directory);
  const database = await open();
  cleanUps.push(async () => {
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });
  return { database, db: database.tables<any>() };
}

const suite = describe.runIf(hasDatabase());

suite("a database at an earlier migration of the provider", () => {
  test.each(Object.keys(migrations).slice(0, -1))(
    "%s has a new database's schema once brought up to date",
    async (step) => {
      const { database: fresh, db: freshDb } = await newDatabase();
      await fresh.migrate("provider", migrations);
      const { database, db } = await newDatabase();
      await db.transaction().execute(async (transaction) => {
        await migrateWithin(transaction, "provider", migrations, step);
        await addFirstRows(transaction, step);
      });
      await database.migrate("provider", migrations);
      expect(await schemaOf(db)).toEqual(await schemaOf(freshDb));
      await expectDerived(db);

      await db.updateTable("documents").where("id", "=", 1).set({ date: "2025-03-01" }).execute();
      await db
        .updateTable("documents")
        .where("id", "=", 2)
        .set({ status: "archived", status_before_archive: "active" })
        .execute();
      await db
        .insertInto("documents")
        .values(document(4, "2024-02-29", "active"))
        .execute();
      await db.deleteFrom("scans").where("id", "=", 2).execute();
      await expectDerived(db);
    },
  );

  test("keeps documents and branches whose numbers and names became alike", async () => {
    const { database, db } = await newDatabase();
    const before = "048_figures_of_alerts";
    await db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, "provider", migrations, before);
      await addFirstRows(transaction, before);
      const numbers = ["ZW-0001", "ZW-0001\u200b", "ZW–0001", "Nr. ZW-0001"];
      const rows = numbers.map((number, n) => ({
        ...document(10 + n, "2026-01-01", "active"),
        number,
        number_key: number.toLowerCase(),
      }));
      await transaction.insertInto("documents").values(rows).execute();
      const branch = { email: "", phone: "", country: "", city: "", index: "", address: "", company_id: 1, active: 1 };
      const names = ["Zürich", "Zurich", "Malmö"].map((name, n) => ({
        id: 50 + n,
        name,
        name_key: name.toLowerCase(),
      }));
      await transaction
        .insertInto("branches")
        .values(names.map((named) => ({ ...branch, ...named, version: 1 })))
        .execute();
    });
    await database.migrate("provider", migrations);
    const documents = db.selectFrom("documents").where("id", ">=", 10).orderBy("id");
    expect(await documents.select(["number_key", "number_read"]).execute()).toEqual([
      { number_key: "zw-0001", number_read: "zw0001" },
      { number_key: "zw-0001\u007F11", number_read: "zw0001" },
      { number_key: "zw-0001\u007F12", number_read: "zw0001" },
      { number_key: "nr. zw-0001", number_read: "zw0001" },
    ]);
    const branches = db.selectFrom("branches").where("id", ">=", 50).orderBy("id");
    expect((await branches.select("name_key").execute()).map(({ name_key }) => name_key)).toEqual([
      "zurich",
      "zurich\u007F51",
      "malmo",
    ]);
  });

  test("has email addresses proved for users who opened a link, and accounts of single sign-on taken over", async () => {
    const { database, db } = await newDatabase();
    await db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, "provider", migrations, "048_figures_of_alerts");
      await addFirstRows(transaction, "048_figures_of_alerts");
      const user = await transaction.selectFrom("users").where("id", "=", 1).selectAll().executeTakeFirstOrThrow();
      const entry = { company_id: 1, at, actor: "", entity: "user", entity_name: "", changes: "[]" };
      for (const [n, ...actions] of [
        [2],
        [3, "joined"],
        [4, "password reset"],
        [5, "joined", "identity connected"],
        [6, "founded"],
      ] as [number, ...string[]][]) {
        const copy = { ...user, id: n, email: `${n}@company.example`, email_key: `${n}@company.example` };
        await transaction
          .insertInto("users")
          .values({ ...copy, password_hash: "x" })
          .execute();
        for (const action of actions) {
          const about = action === "founded" ? { entity: "company", entity_id: 1 } : { entity_id: n };
          await transaction
            .insertInto("audit")
            .values({ ...entry, ...about, actor_id: n, action })
            .execute();
        }
      }
      const identity = { user_id: 5, configured_by: 1, issuer: "i", subject: "s", created_at: at, used_at: at };
      await transaction.insertInto("identities").values(identity).execute();
    });
    await database.migrate("provider", migrations);
    const users = db.selectFrom("users").where("id", ">", 1).orderBy("id");
    expect(await users.select(["id", "email_proved", "taken_over"]).execute()).toEqual([
      { id: 2, email_proved: 0, taken_over: 0 },
      { id: 3, email_proved: 1, taken_over: 1 },
      { id: 4, email_proved: 1, taken_over: 1 },
      { id: 5, email_proved: 0, taken_over: 1 },
      { id: 6, email_proved: 1, taken_over: 1 },
    ]);
  });

  test("keeps its counts of attempts", async () => {
    const { database, db } = await newDatabase();
    await sql`create table "rate_limits" ("key" varchar(255) primary key, "points" integer default 0 not null,
      "expire" bigint)`.execute(db);
    await db.insertInto("rate_limits").values({ key: "login:ada", points: 3, expire: null }).execute();
    await database.migrate("provider", migrations);
    expect(await db.selectFrom("rate_limits").selectAll().execute()).toEqual([
      { key: "login:ada", points: 3, expire: null },
    ]);
  });

  test("has its documents counted by month where an earlier version made the table without", async () => {
    const { database, db } = await newDatabase();
    await db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, "provider", migrations, "004_search_by_lots");
      await addFirstRows(transaction, "004_search_by_lots");
      await sql`create table document_months (
        company_id integer not null, status text not null, month text not null, documents integer not null,
        primary key (company_id, status, month))`.execute(transaction);
      await sql`insert into document_months values (1, 'active', '2026-01', 7)`.execute(transaction);
    });
    await database.migrate("provider", migrations);
    await expectDerived(db);
  });
});

suite("a database at the first migration of the drafts", () => {
  test("has a new database's schema and its drafts once brought up to date", async () => {
    const { database: fresh, db: freshDb } = await newDatabase();
    await fresh.migrate("web", draftMigrations);
    const { database, db } = await newDatabase();
    const at = "2026-11-21T10:00:00.000Z";
    await db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, "web", draftMigrations, "001_drafts");
      const draft = { id: "d1", user_id: 2 ** 40, values: "{}", version: 1, updated_at: at, expires_at: at };
      await transaction.insertInto("drafts").values(draft).execute();
      const form = { id: "f1", path: "/", body: "a=b", expires_at: at };
      await transaction.insertInto("interrupted_forms").values(form).execute();
    });
    await database.migrate("web", draftMigrations);
    expect(await schemaOf(db)).toEqual(await schemaOf(freshDb));
    expect(await db.selectFrom("drafts").select(["id", "user_id"]).execute()).toEqual([{ id: "d1", user_id: 2 ** 40 }]);
    expect(await db.selectFrom("interrupted_forms").selectAll().execute()).toEqual([]);
  });
});

const at = "2026-11-21T10:00:00.000Z";

const lease = { document_type: "other", document_subtype: "other", access_type: "open", expire_type: "none" };
const issued = { company_id: 1, owner_id: 1, created_by: 1, created_at: at, prolongation: 0, pages: 1, version: 1 };

const document = (id: number, date: string, status: string) => ({
  ...lease,
  ...issued,
  id,
  code: `C${id}`,
  number: `N-${id}`,
  number_key: `n-${id}`,
  name: `Lease ${id}`,
  name_key: `lease ${id}`,
  date,
  qr_placing: "first",
  folder: `f${id}`,
  status,
  status_before_archive: status === "archived" ? "active" : null,
});

const reopenedSince012 = ({ status, note, ...row }: { status: number; note: string }) =>
  status < 3 ? { ...row, status, note: "", reopened_because: note } : { ...row, status, note, reopened_because: "" };

/**
 * Rows of the tables that the first migration made, as the application of that state inserts them. A value that a
 * migration derives is given here from its step on, because from then on the application writes it.
 */
async function addFirstRows(db: Kysely<any>, step: string) {
  const contact = { email: "", phone: "", country: "", city: "", index: "", address: "" };
  const permissions = {
    docs: "",
    co_profile: "",
    branches: "",
    tariffs: "",
    alerts: "",
    map: "",
    users: "",
    roles: "",
  };
  const person = { name: "Ada", name_key: "ada", email_key: "ada", role: "", info: "", active: 1, version: 1 };
  const scan = { company_id: 1, document_id: 1, at, day: "2026-11-21", address_hash: "", key_hash: "", place: "" };
  const pageFile = { n: 1, name: "a.png", type: "png", sha256: "", pages: 1, width: 1, height: 1 };
  const token = { user_id: 1, created_at: at, used_at: at, expires_at: at };
  const alert = {
    company_id: 1,
    document_id: 1,
    day: "2026-11-21",
    alert: "Complaint",
    date: at,
    latitude: null,
    longitude: null,
    accuracy: null,
    reason: "A copy",
    count: 1,
    version: 1,
  };
  const rows: [table: string, rows: object[]][] = [
    ["tariffs", [{ id: 1, name: "Free", min_users: 1 }]],
    [
      "companies",
      [
        {
          id: 1,
          ...contact,
          name: "A",
          timezone: "UTC",
          created_at: at,
          active: 1,
          documents: 3,
          pages: 3,
          version: 1,
          tariff_id: 1,
          ...(step >= "006" && { stored_bytes: 600 }),
        },
      ],
    ],
    ["access_groups", [{ id: 1, company_id: 1, name: "All", name_key: "all", ...permissions, version: 1 }]],
    ["users", [{ id: 1, ...contact, ...person, company_id: 1, access_group_id: 1, created_at: at }]],
    [
      "documents",
      [document(1, "2026-11-21", "active"), document(2, "2026-11-20", "active"), document(3, "2026-10-01", "archived")],
    ],
    ["custom_fields", [1, 3].map((document_id) => ({ document_id, n: 2, name: "Plot", value: "LR 42 Ä" }))],
    ["page_files", [1, 2, 3].map((document_id) => ({ ...pageFile, document_id, bytes: 100 * document_id }))],
    ["scans", [1, 2].map((id) => ({ id, ...scan, suspicion: 0, staff: 0 }))],
    [
      "tokens",
      [
        { ...token, hash: "s", kind: "session", ...(step >= "011" && { public_id: 1 }) },
        { ...token, hash: "r", kind: "reset" },
      ],
    ],
    [
      "alerts",
      [
        { ...alert, id: 1, number: 1, rule: "1", status: 3, note: "Settled" },
        { ...alert, id: 2, number: 2, rule: "2", status: 2, note: "Again" },
      ]
        .map((row) => (step >= "012" ? reopenedSince012(row) : row))
        .map((row) => (step >= "026" ? { ...row, case_state: row.status === 3 ? "done" : "new" } : row)),
    ],
    ["documents_to_seal", step >= "016" ? [1, 2, 3].map((document_id) => ({ document_id, company_id: 1 })) : []],
  ];
  for (const [table, values] of rows) if (values.length > 0) await db.insertInto(table).values(values).execute();
}

/** What migrations and triggers make of documents, page files, scans, sessions and alerts. */
async function expectDerived(db: Kysely<any>) {
  const rowsOf = async (query: string) => (await sql.raw<object>(query).execute(db)).rows;
  for (const [counters, period, table, column, by] of [
    ["document_days", "date", "documents", "date", "status"],
    ["document_months", "month", "documents", "substr(date, 1, 7)", "status"],
    ["scan_days", "day", "scans", "day", "staff"],
  ]) {
    const counted = await rowsOf(`select ${by}, ${period}, ${table} from ${counters} where ${table} > 0 order by 1, 2`);
    expect(counted, counters).toEqual(
      await rowsOf(
        `select ${by}, ${column} as ${period}, count(*) as ${table} from ${table} group by 1, 2 order by 1, 2`,
      ),
    );
    expect(counted).not.toEqual([]);
  }
  expect(await rowsOf("select document_id, company_id from documents_to_seal order by 1")).toEqual(
    [1, 2, 3].map((document_id) => ({ document_id, company_id: 1 })),
  );
  expect(await rowsOf("select stored_bytes from companies")).toEqual([{ stored_bytes: 600 }]);
  expect(await rowsOf("select kind, public_id > 0 as numbered from tokens order by kind")).toEqual([
    { kind: "reset", numbered: null },
    { kind: "session", numbered: isPostgres(db) ? true : 1 },
  ]);
  expect(await rowsOf("select status, case_state, note, reopened_because from alerts order by id")).toEqual([
    { status: 3, case_state: "done", note: "Settled", reopened_because: "" },
    { status: 2, case_state: "new", note: "", reopened_because: "Again" },
  ]);
  const values = isPostgres(db)
    ? "select company_id, document_id, n from custom_values where value_key like '%lr 42 a%' order by 2"
    : `select rowid >> 37 as company_id, rowid >> 6 & 2147483647 as document_id, rowid & 63 as n
       from custom_values where custom_values match '"lr 42 a"' order by 2`;
  expect(await rowsOf(values)).toEqual([1, 3].map((document_id) => ({ company_id: 1, document_id, n: 2 })));
  if (isPostgres(db)) return;
  const found = "select rowid & 2147483647 as id, rowid >> 31 & 1 as archived from documents_text";
  expect(await rowsOf(`${found} where documents_text match 'lease' order by 1`)).toEqual(
    await rowsOf("select id, status = 'archived' as archived from documents order by id"),
  );
}
