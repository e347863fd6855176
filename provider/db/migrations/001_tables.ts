import { type Kysely, sql } from "kysely";
import { accounts } from "./001_tables/accounts.ts";
import { alerts } from "./001_tables/alerts.ts";
import { apiKeys } from "./001_tables/api-keys.ts";
import { audit } from "./001_tables/audit.ts";
import { bulkActions } from "./001_tables/bulk-actions.ts";
import { bulkIssues } from "./001_tables/bulk-issues.ts";
import { counters } from "./001_tables/counters.ts";
import { dialectOf } from "./001_tables/dialect.ts";
import { documents } from "./001_tables/documents.ts";
import { imports } from "./001_tables/imports.ts";
import { scans } from "./001_tables/scans.ts";
import { seals } from "./001_tables/seals.ts";
import { singleSignOn } from "./001_tables/single-sign-on.ts";
import { templates } from "./001_tables/templates.ts";
import { textIndexes } from "./001_tables/text-indexes.ts";
import { views } from "./001_tables/views.ts";
import { webhooks } from "./001_tables/webhooks.ts";

/** The tables of 1.0.0, each file's with the indexes on them. `../tables/` says what the columns mean, in the same order. */
export async function up(db: Kysely<unknown>) {
  const dialect = dialectOf(db);
  for (const statements of groups) {
    for (const statement of statements(dialect)) await sql.raw(statement).execute(db);
  }
}

// A table comes after those that it refers to, and triggers come last.
const groups = [
  accounts,
  singleSignOn,
  apiKeys,
  audit,
  documents,
  seals,
  scans,
  alerts,
  templates,
  bulkIssues,
  bulkActions,
  imports,
  views,
  webhooks,
  textIndexes,
  counters,
];
