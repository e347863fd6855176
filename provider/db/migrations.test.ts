import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize, relative } from "node:path";
import type { Kysely } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { draftMigrations } from "#app/server/drafts/tables.ts";
import { emptyDatabase, hasDatabase } from "#tests/fixtures/database.ts";
import { schemaOf } from "#tests/fixtures/schema.ts";
import { migrateWithin } from "#lib/storage/database/migrate.ts";
import { jobMigrations } from "#lib/storage/job-table.ts";
import { migrations } from "./migrations.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The rooms' migrations, with the first 16 hexadecimal digits of each released one's SHA-256. */
const rooms = {
  "provider/db/migrations": {
    owner: "provider",
    all: migrations,
    hashes: {
      "001_tables": "12351d5200002c29",
      "002_number_ranges": "150e8c9a5c61ae57",
      "003_template_placing": "3471ced022604694",
      "004_directory_expand_1.0.0": "66b1db9210f40161",
      "005_audit_queue_expand_1.0.0": "e4944f6fa7094c33",
      "006_certificates_expand_1.0.0": "3015473650c9b670",
      "007_deferred_mail_expand_1.0.0": "c48de57b0ed71143",
      "008_log_expand_1.0.0": "b1f9b6b28b615f34",
      "009_releases_expand_1.0.0": "a2d1602e96310837",
      "010_recipients_expand_1.0.0": "fed3dec844269279",
      "011_wallet_expand_1.0.0": "e7604dffb4c0230d",
      "012_hosts_expand_1.0.0": "4b4fad1a6d81c249",
    },
  },
  "app/server/drafts/migrations": {
    owner: "web",
    all: draftMigrations,
    hashes: { "001_tables": "b742da8243b090ea", "002_readings": "99ea3cf5e0cdf994" },
  },
  "lib/storage/migrations": {
    owner: "jobs",
    all: jobMigrations,
    hashes: {
      "001_tables": "316eeb2cfdd1b50b",
      "002_causes_expand_1.0.0": "f5ef0f0662109d08",
      "003_backups_expand_1.0.0": "5a4de9fed7da7d36",
    },
  },
};

/** A migration's file, and those of the folder of its name. */
function filesOf(folder: string, name: string) {
  const own = join(folder, name);
  const parts = existsSync(own) ? readdirSync(own).toSorted() : [];
  return [`${own}.ts`, ...parts.map((part) => join(own, part))];
}

function hashOf(folder: string, name: string) {
  const hash = createHash("sha256");
  for (const file of filesOf(folder, name)) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

describe.each(Object.entries(rooms))("%s", (folder, { all, hashes }) => {
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

  test("imports nothing but kysely and its own parts in a migration", () => {
    for (const name of Object.keys(all)) {
      for (const file of filesOf(folder, name)) {
        const imports = [...readFileSync(file, "utf8").matchAll(/ from "(.*)";$/gm)].map(([, from]) => from!);
        const parts = filesOf(folder, name).map((part) => relative(dirname(file), part));
        const others = imports.filter((from) => from !== "kysely" && !parts.includes(normalize(from)));
        expect(others, file).toEqual([]);
      }
    }
  });
});

/** Migrations of 1.0.0. Later ones say with which version on they can be used, as CONTRIBUTING.md explains. */
const released = ["001_tables", "002_number_ranges", "003_template_placing", "002_readings"];
const laterName = /^\d{3}_[a-z_]+_(expand|contract)_(\d+\.\d+\.\d+)$/;
/** What the version before would miss or be refused. */
const takesAway = /\b(drop|rename)(\b|Table|Column|Index|To)|\balter ?column\b|\bnot null\b(?![^,)`"]*\bdefault\b)/i;

describe.each(Object.entries(rooms))("a later migration of %s", (folder, { all }) => {
  const later = Object.keys(all).filter((name) => !released.includes(name));

  test("names the oldest version that works with its tables, and takes nothing away while it expands", () => {
    for (const name of later) {
      expect(name, "the name ends with _expand_ or _contract_ and a version").toMatch(laterName);
      const text = filesOf(folder, name)
        .map((file) => readFileSync(file, "utf8"))
        .join("\n");
      const created = text.replace(/create table[^`]*/gi, "");
      if (name.includes("_expand_")) expect(created, `${name} takes away what others use`).not.toMatch(takesAway);
    }
  });
});

test("an expanding migration may add tables and columns with defaults, and drop or rename nothing", () => {
  for (const text of [
    "alter table documents drop column note",
    "alter table documents rename to papers",
    "alter table documents add column note text not null",
    "alter table documents alter column note type integer",
  ])
    expect(text).toMatch(takesAway);
  for (const text of [
    "alter table documents add column note text",
    "alter table documents add column note text not null default ''",
    "create index documents_notes on documents (note)",
  ])
    expect(text).not.toMatch(takesAway);
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

suite.each(Object.values(rooms))("a database at a migration of $owner", ({ owner, all }) => {
  test.each(Object.keys(all))("%s has a new database's schema once brought up to date", async (step) => {
    const { database: fresh, db: freshDb } = await newDatabase();
    await fresh.migrate(owner, all);
    const { database, db } = await newDatabase();
    await db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, owner, all, step);
      if (owner === "provider") await addFirstRows(transaction);
    });
    await database.migrate(owner, all);
    expect(await schemaOf(db)).toEqual(await schemaOf(freshDb));
    if (owner !== "provider") return;
    for (const table of ["document_days", "document_reach", "scan_days", "alert_reach", "custom_values"]) {
      const counted = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirst();
      expect(Number(counted?.n), table).toBe(1);
    }
  });
});

const at = "2026-11-21T10:00:00.000Z";

/** A row of each table that most others refer to, as 1.0.0 inserts them. */
async function addFirstRows(db: Kysely<any>) {
  const contact = { email: "", phone: "", country: "", city: "", index: "", address: "" };
  const rights = { docs: "", co_profile: "", branches: "", tariffs: "", alerts: "", map: "", users: "", roles: "" };
  const [named, ofCompany] = [
    { name: "A", name_key: "a", version: 1 },
    { company_id: 1, active: 1 },
  ];
  const kinds = { document_type: "other", document_subtype: "other", access_type: "open", expire_type: "none" };
  const place = { latitude: null, longitude: null, accuracy: null };
  const today = { company_id: 1, document_id: 1, day: "2026-11-21" };
  const rows: Record<string, object> = {
    tariffs: { id: 1, name: "Free", min_users: 1 },
    companies: {
      id: 1,
      ...contact,
      name: "A",
      timezone: "UTC",
      created_at: at,
      active: 1,
      documents: 1,
      pages: 1,
      stored_bytes: 100,
      version: 1,
      tariff_id: 1,
    },
    access_groups: { id: 1, ...named, ...ofCompany, ...rights },
    users: {
      id: 1,
      ...named,
      ...ofCompany,
      ...contact,
      access_group_id: 1,
      email_key: "a",
      role: "",
      info: "",
      created_at: at,
    },
    documents: {
      id: 1,
      ...named,
      ...kinds,
      company_id: 1,
      owner_id: 1,
      created_by: 1,
      created_at: at,
      date: "2026-11-21",
      code: "C1",
      number: "N-1",
      number_key: "n-1",
      number_read: "n1",
      qr_placing: "first",
      folder: "f1",
      status: "active",
      prolongation: 0,
      pages: 1,
    },
    custom_fields: { document_id: 1, n: 1, name: "Plot", value: "LR 42" },
    page_files: {
      document_id: 1,
      n: 1,
      name: "a.png",
      type: "png",
      sha256: "",
      bytes: 100,
      pages: 1,
      width: 1,
      height: 1,
    },
    scans: { ...today, at, address_hash: "", key_hash: "", place: "", suspicion: 0, staff: 0 },
    alerts: {
      ...today,
      ...place,
      number: 1,
      rule: "1",
      alert: "Complaint",
      date: at,
      reason: "A copy",
      note: "",
      count: 1,
      status: 2,
      version: 1,
    },
  };
  for (const [table, row] of Object.entries(rows)) await db.insertInto(table).values(row).execute();
}
