import { type RawBuilder, sql } from "kysely";

/** How rows belong to a company, for the commands that take one to another installation. */
export type CompanyTable = {
  /** The column that says whose a row is, and the table that it points to. */
  owner: [column: string, table: string];
  /** Whether `id` is generated, and so another one there. */
  hasId?: true;
  /** Other columns with ids of other tables. */
  ids?: Record<string, string>;
  /** The same of rows that come later than these. */
  later?: Record<string, string>;
  /** What other values are there. */
  instead?: Record<string, string | number | null>;
};

const ofCompany = (more: Omit<CompanyTable, "owner"> = {}): CompanyTable => ({
  owner: ["company_id", "companies"],
  ...more,
});
const ofDocument = (more: Omit<CompanyTable, "owner"> = {}): CompanyTable => ({
  owner: ["document_id", "documents"],
  ...more,
});

/** Those that are taken along. */
export const companyTables: Record<string, CompanyTable> = {
  // Rules name branches and access groups by their ids here.
  companies: { owner: ["id", "companies"], hasId: true, instead: { release_rules: null, releases_told_at: null } },
  branches: ofCompany({ hasId: true, later: { manager_id: "users" } }),
  access_groups: ofCompany({ hasId: true }),
  users: ofCompany({ hasId: true, ids: { branch_id: "branches", access_group_id: "access_groups" } }),
  withdrawal_reasons: ofCompany({ hasId: true }),
  number_ranges: ofCompany({ hasId: true, ids: { branch_id: "branches" } }),
  templates: ofCompany({ hasId: true }),
  documents: ofCompany({
    hasId: true,
    ids: {
      branch_id: "branches",
      owner_id: "users",
      access_group_id: "access_groups",
      created_by: "users",
    },
    later: { replaced_by_id: "documents" },
    instead: { host_id: null },
  }),
  custom_fields: ofDocument(),
  page_files: ofDocument(),
  document_copies: ofDocument(),
  sealed_files: ofDocument(),
  documents_to_seal: ofDocument({ ids: { company_id: "companies" } }),
  pages_to_draw: ofDocument({ ids: { company_id: "companies" } }),
  reminders: ofDocument(),
  recipients: ofCompany({ hasId: true, ids: { document_id: "documents" } }),
  signed_codes: ofDocument({ hasId: true }),
  scans: ofCompany({ hasId: true, ids: { document_id: "documents" } }),
  complaints: { owner: ["scan_id", "scans"] },
  alerts: ofCompany({ hasId: true, ids: { document_id: "documents", owner_id: "users", first_seen_by: "users" } }),
  alert_scans: { owner: ["alert_id", "alerts"], ids: { scan_id: "scans" } },
  alert_comments: { owner: ["alert_id", "alerts"], hasId: true, ids: { author_id: "users" } },
  alert_mentions: { owner: ["comment_id", "alert_comments"], ids: { user_id: "users" } },
  seal_keys: ofCompany({ hasId: true, ids: { root_id: "seal_roots" }, instead: { private_key: null } }),
  audit: ofCompany({ hasId: true, ids: { actor_id: "users" }, instead: { bound: null, within: null } }),
};

/** Those that stay: of the installation, of sign-ins, of work that is not finished, and what is made again. */
export const leftTables = `
  tariffs help_items seal_roots address_salts status_lists scans_to_judge outbox audit_queue audit_shipping tokens
  second_factors passkeys recovery_codes email_changes known_browsers calendar_feeds reset_requests
  api_keys company_hosts identity_providers identities sign_in_attempts identity_sessions webhooks webhook_keys
  webhook_deliveries webhook_attempts saved_views default_views bulk_actions bulk_action_rows
  bulk_issues bulk_issue_rows bulk_mappings releases imports import_rows log_origins log_entries log_checkpoints
  holder_tokens recipient_mails wallet_secrets wallet_lists wallet_credentials
`
  .trim()
  .split(/\s+/);

export const leftWords =
  "Not taken along: second factors, passkeys, sessions, API keys, single sign-on, own hosts, webhooks, saved views, drafts, unfinished bulk work, release rules and what awaits release, links of recipients, the state of credentials in wallets, private seal keys. The log here enters its documents and keys as existing ones; proofs by the former log stay valid.";

/** The table that an audit entry's `entity_id` is of. */
export const auditedTables: Record<string, string> = {
  company: "companies",
  branch: "branches",
  "access group": "access_groups",
  user: "users",
  document: "documents",
  alert: "alerts",
  template: "templates",
  recipient: "recipients",
};

/** The condition that rows of a table are a company's. */
export function isOwnedBy(company: number, table: string): RawBuilder<boolean> {
  const [column, owner] = companyTables[table]!.owner;
  if (owner === "companies") return sql`${sql.ref(column)} = ${company}`;
  return sql`${sql.ref(column)} in (select id from ${sql.table(owner)} where ${isOwnedBy(company, owner)})`;
}
