import type { Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts.ts";
import type { ApiKeyTables } from "./tables/api-keys.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { BulkActionTables } from "./tables/bulk-actions.ts";
import type { DocumentTables } from "./tables/documents.ts";
import type { HostTables } from "./tables/hosts.ts";
import type { ImportTables } from "./tables/imports.ts";
import type { LogTables } from "./tables/log.ts";
import type { ReleaseTables } from "./tables/releases.ts";
import type { RecipientTables } from "./tables/recipients.ts";
import type { ScanTables } from "./tables/scans.ts";
import type { SealTables } from "./tables/seals.ts";
import type { ViewTables } from "./tables/views.ts";
import type { WalletTables } from "./tables/wallet.ts";
import type { WebhookTables } from "./tables/webhooks.ts";
import type { BulkIssueTables } from "./tables/bulk-issues.ts";
import type { TemplateTables } from "./tables/templates.ts";
import type { SingleSignOnTables } from "./tables/single-sign-on.ts";

export type { TokenKind } from "./tables/accounts.ts";
export { type DocumentStatus, documentStatuses } from "./tables/documents.ts";

/**
 * The provider's tables. Instants are ISO-8601 text in UTC, dates `YYYY-MM-DD`, flags 0 or 1, amounts pence.
 * A column `…_key` holds another's text folded for search and comparison (`fold` and `foldEmail` of `lib/text.ts`).
 */
export type Tables = AccountTables &
  DocumentTables &
  ScanTables &
  SealTables &
  ViewTables &
  AuditTables &
  BulkActionTables &
  TemplateTables &
  BulkIssueTables &
  WebhookTables &
  WalletTables &
  SingleSignOnTables &
  HostTables &
  ImportTables &
  LogTables &
  ReleaseTables &
  RecipientTables &
  ApiKeyTables;

export type Db = Kysely<Tables>;
