import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { idColumn } from "#storage/database.ts";
import { areas } from "../contract/permissions.ts";
import { createDocumentOrders } from "./document-list/indexes.ts";
import { countByMonth, createSearch, searchByLots } from "./search.ts";
import { storedBytes } from "./steps/006_stored_bytes.ts";
import { knownBrowsers } from "./steps/007_known_browsers.ts";
import { pagesToDraw } from "./steps/009_pages_to_draw.ts";
import { emailChanges } from "./steps/010_email_changes.ts";
import { accessAudit } from "./steps/011_access_audit.ts";

/** The provider's tables, step by step. A step that has been released is never changed; a new one is added. */
export const migrations: Record<string, Migration> = {
  "001_first_tables": {
    async up(db) {
      await createReference(db);
      await createPeople(db);
      await createDocuments(db);
      await createRecords(db);
    },
  },
  "002_outbox_and_jobs": { up: createOutbox },
  "003_search": {
    async up(db) {
      await createDocumentOrders(db);
      await createSearch(db);
      await db.schema.createIndex("alerts_by_time").on("alerts").columns(["company_id", "date", "id"]).execute();
      await db.schema.createIndex("alerts_by_day").on("alerts").columns(["company_id", "day", "document_id"]).execute();
    },
  },
  "004_search_by_lots": { up: searchByLots },
  "005_documents_by_month": { up: countByMonth },
  "006_stored_bytes": { up: storedBytes },
  "007_known_browsers": { up: knownBrowsers },
  "009_pages_to_draw": { up: pagesToDraw },
  "010_email_changes": { up: emailChanges },
  "011_access_audit": { up: accessAudit },
};

type Db = Kysely<unknown>;
type Table = CreateTableBuilder<string, string>;

/** A table whose rows are numbered. */
const numbered = (db: Db, name: string): Table => db.schema.createTable(name).addColumn("id", "integer", idColumn(db));

/** Adds columns that always hold a value. */
const required = (table: Table, type: "text" | "integer", ...names: string[]): Table =>
  names.reduce((grown, name) => grown.addColumn(name, type, (column) => column.notNull()), table);

/** Adds columns that may be empty. */
const optional = (table: Table, type: "text" | "integer" | "double precision", ...names: string[]): Table =>
  names.reduce((grown, name) => grown.addColumn(name, type), table);

/** Adds a column that names a row of another table. */
const belongsTo = (table: Table, column: string, other: string, need: "required" | "optional" = "required"): Table =>
  table.addColumn(column, "integer", (c) => (need === "required" ? c.notNull() : c).references(`${other}.id`));

const contact = (table: Table) =>
  optional(required(table, "text", "email", "phone", "country", "city", "index", "address"), "text", "image_key");

async function createReference(db: Db) {
  const tariffs = db.schema.createTable("tariffs").addColumn("id", "integer", (c) => c.primaryKey());
  await optional(
    required(required(tariffs, "text", "name"), "integer", "min_users"),
    "integer",
    "max_users",
    "price_per_user",
    "min_monthly",
    "pages",
    "extra_page",
  ).execute();
  const help = db.schema.createTable("help_items").addColumn("id", "integer", (c) => c.primaryKey());
  await required(help, "text", "question", "answer").execute();
}

async function createPeople(db: Db) {
  let companies = contact(numbered(db, "companies"));
  companies = required(companies, "text", "name", "timezone", "created_at");
  companies = required(companies, "integer", "active", "documents", "pages", "version");
  await belongsTo(companies, "tariff_id", "tariffs").execute();

  let branches = belongsTo(contact(numbered(db, "branches")), "company_id", "companies");
  branches = optional(branches, "integer", "manager_id");
  await required(required(branches, "text", "name", "name_key"), "integer", "active", "version").execute();
  const branchesByName = db.schema.createIndex("branches_by_name").unique().on("branches");
  // A removed branch leaves its name to others.
  await branchesByName.columns(["company_id", "name_key"]).where(sql.ref("active"), "=", 1).execute();

  let groups = belongsTo(numbered(db, "access_groups"), "company_id", "companies");
  groups = groups.addColumn("active", "integer", (c) => c.notNull().defaultTo(1));
  await required(required(groups, "text", "name", "name_key", ...areas), "integer", "version").execute();
  // A removed group's name is free again.
  const groupsByName = db.schema.createIndex("access_groups_by_name").unique().on("access_groups");
  await groupsByName.columns(["company_id", "name_key"]).where(sql.ref("active"), "=", 1).execute();

  let users = belongsTo(numbered(db, "users"), "company_id", "companies");
  users = belongsTo(users, "branch_id", "branches", "optional");
  users = belongsTo(users, "access_group_id", "access_groups");
  users = required(
    users,
    "text",
    "name",
    "name_key",
    "email",
    "phone",
    "role",
    "country",
    "city",
    "index",
    "address",
    "info",
  );
  users = required(users, "text", "email_key");
  users = optional(users, "text", "password_hash", "image_key", "alerts_told_at");
  users = users.addColumn("alerts_told", "integer", (c) => c.notNull().defaultTo(0));
  await required(required(users, "integer", "active", "version"), "text", "created_at").execute();
  // Of those who can sign in; who left may come back, or somebody else get the address.
  await db.schema
    .createIndex("users_by_email")
    .unique()
    .on("users")
    .column("email_key")
    .where(sql.ref("active"), "=", 1)
    .execute();
  await db.schema.createIndex("users_by_name").on("users").columns(["company_id", "name_key"]).execute();
  await db.schema.createIndex("users_by_group").on("users").columns(["company_id", "access_group_id"]).execute();

  for (const table of ["companies", "branches", "users"]) {
    await db.schema.createIndex(`${table}_by_image`).on(table).column("image_key").execute();
  }

  let tokens: Table = db.schema.createTable("tokens").addColumn("hash", "text", (c) => c.primaryKey());
  tokens = belongsTo(tokens, "user_id", "users", "optional");
  await required(tokens, "text", "kind", "created_at", "used_at", "expires_at").execute();
  await db.schema.createIndex("tokens_by_user").on("tokens").columns(["user_id", "kind"]).execute();
  await db.schema.createIndex("tokens_by_expiry").on("tokens").column("expires_at").execute();
}

async function createDocuments(db: Db) {
  let documents = belongsTo(numbered(db, "documents"), "company_id", "companies");
  documents = belongsTo(documents, "branch_id", "branches", "optional");
  documents = belongsTo(documents, "owner_id", "users");
  documents = belongsTo(documents, "created_by", "users");
  documents = belongsTo(documents, "access_group_id", "access_groups", "optional");
  documents = documents.addColumn("code", "text", (c) => c.notNull().unique());
  documents = required(documents, "text", "number", "number_key", "name", "name_key", "date", "created_at");
  documents = required(documents, "text", "document_type", "document_subtype", "access_type", "expire_type");
  documents = required(documents, "text", "qr_placing", "status", "folder");
  documents = required(documents, "integer", "prolongation", "pages", "version");
  documents = optional(documents, "text", "expire_date", "first_expire_date", "status_before_archive", "status_since");
  await optional(documents, "text", "idempotency_key").execute();
  const index = (name: string) => db.schema.createIndex(name).on("documents");
  await index("documents_by_number").unique().columns(["company_id", "number_key"]).execute();
  // By number alone: a stranger names no company.
  await index("documents_by_printed_number").column("number_key").execute();
  await index("documents_by_idempotency_key").unique().columns(["created_by", "idempotency_key"]).execute();
  await index("documents_by_folder").unique().column("folder").execute();
  await index("documents_by_creation").columns(["company_id", "created_at", "pages"]).execute();
  await index("documents_by_group").columns(["company_id", "access_group_id"]).execute();
  await index("documents_by_date").columns(["company_id", "status", "date", "id"]).execute();

  await partOfDocument(required(db.schema.createTable("custom_fields"), "text", "name", "value"), "custom_fields");
  let pageFiles = required(db.schema.createTable("page_files"), "text", "name", "type", "sha256");
  pageFiles = required(pageFiles, "integer", "bytes", "pages", "width", "height");
  await partOfDocument(pageFiles, "page_files");
}

/** Makes a table of a document's parts, numbered `n` from 1 within it. */
async function partOfDocument(table: Table, name: string) {
  await belongsTo(required(table, "integer", "n"), "document_id", "documents")
    .addPrimaryKeyConstraint(`${name}_key`, ["document_id", "n"])
    .execute();
}

async function createScans(db: Db) {
  let scans = belongsTo(numbered(db, "scans"), "company_id", "companies");
  scans = belongsTo(scans, "document_id", "documents");
  scans = required(scans, "text", "at", "day", "address_hash", "key_hash", "place");
  scans = required(optional(scans, "text", "located_at"), "integer", "suspicion", "staff");
  await optional(scans, "double precision", "latitude", "longitude", "accuracy").execute();
  const index = (name: string) => db.schema.createIndex(name).on("scans");
  await index("scans_by_document").columns(["document_id", "at"]).execute();
  // Counting by day reads nothing but this.
  await index("scans_by_day").columns(["company_id", "day", "document_id", "staff"]).execute();
  // Of the few that told their place, as a position or in words.
  const isTold = sql<boolean>`latitude is not null or place <> ''`;
  await index("scans_by_place").columns(["company_id", "at"]).where(isTold).execute();

  // Few among many; used where the query has the number itself and no parameter.
  await index("scans_by_suspicion").columns(["company_id", "at"]).where(sql.ref("suspicion"), "=", 1).execute();

  const salts = db.schema.createTable("address_salts").addColumn("day", "text", (c) => c.primaryKey());
  await required(salts, "text", "salt").execute();
  const complaints = required(db.schema.createTable("complaints"), "text", "text", "contact", "at");
  await belongsTo(complaints, "scan_id", "scans").addPrimaryKeyConstraint("complaints_key", ["scan_id"]).execute();
  const links = belongsTo(belongsTo(db.schema.createTable("alert_scans"), "alert_id", "alerts"), "scan_id", "scans");
  await links.addPrimaryKeyConstraint("alert_scans_key", ["alert_id", "scan_id"]).execute();
  await db.schema.createIndex("alert_scans_by_scan").on("alert_scans").column("scan_id").execute();
}

async function createRecords(db: Db) {
  let alerts = belongsTo(numbered(db, "alerts"), "company_id", "companies");
  alerts = belongsTo(alerts, "document_id", "documents");
  alerts = required(alerts, "text", "rule", "day", "alert", "date", "reason", "note");
  alerts = required(alerts, "integer", "number", "status", "count", "version");
  await optional(alerts, "double precision", "latitude", "longitude", "accuracy").execute();
  const alertIndex = (name: string) => db.schema.createIndex(name).on("alerts");
  await alertIndex("alerts_by_number").unique().columns(["company_id", "number"]).execute();
  await alertIndex("alerts_by_rule").unique().columns(["document_id", "rule", "day"]).execute();
  await alertIndex("alerts_by_date").columns(["company_id", "status", "date"]).execute();
  await createScans(db);

  const audit = belongsTo(numbered(db, "audit"), "company_id", "companies");
  await required(
    required(audit, "text", "at", "actor", "action", "entity", "entity_name", "changes"),
    "integer",
    "actor_id",
    "entity_id",
  ).execute();
  const index = (name: string) => db.schema.createIndex(name).on("audit");
  await index("audit_by_time").columns(["company_id", "at", "id"]).execute();
  await index("audit_by_entity").columns(["company_id", "entity", "entity_id", "at", "id"]).execute();
  // As rate-limiter-flexible lays it out; used with PostgreSQL, where several machines count together.
  await db.schema
    .createTable("rate_limits")
    .addColumn("key", "varchar(255)", (c) => c.primaryKey())
    .addColumn("points", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("expire", "bigint")
    .execute();
}

async function createOutbox(db: Db) {
  let outbox = belongsTo(numbered(db, "outbox"), "user_id", "users");
  outbox = required(outbox, "text", "recipient", "subject", "text", "message_id", "created_at", "next_at");
  outbox = optional(required(outbox, "integer", "attempts"), "text", "claimed_until", "given_up_at");
  // A message goes with the link that it carries: used, replaced or expired.
  outbox = outbox.addColumn("token_hash", "text", (c) => c.references("tokens.hash").onDelete("cascade"));
  await outbox.execute();
  const index = (name: string) => db.schema.createIndex(name).on("outbox");
  await index("outbox_by_time").columns(["next_at", "id"]).where(sql.ref("given_up_at"), "is", null).execute();
  await index("outbox_by_token").column("token_hash").execute();
  await index("outbox_by_user").column("user_id").execute();

  await required(numbered(db, "reset_requests"), "text", "email_key", "at").execute();

  const reminders = belongsTo(db.schema.createTable("reminders"), "document_id", "documents");
  await required(required(reminders, "text", "expire_date"), "integer", "days")
    .addPrimaryKeyConstraint("reminders_key", ["document_id", "expire_date", "days"])
    .execute();
  // Used where the query has the number itself and no parameter.
  const byExpiry = db.schema.createIndex("documents_by_expiry").on("documents").columns(["company_id", "expire_date"]);
  await byExpiry.where(sql.ref("prolongation"), "=", 1).execute();
}
