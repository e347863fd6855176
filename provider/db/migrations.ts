import type { Migration } from "kysely/migration";
import { up as tables } from "./migrations/001_tables.ts";
import { up as numberRanges } from "./migrations/002_number_ranges.ts";
import { up as templatePlacing } from "./migrations/003_template_placing.ts";
import { up as directory } from "./migrations/004_directory_expand_1.0.0.ts";
import { up as auditQueue } from "./migrations/005_audit_queue_expand_1.0.0.ts";
import { up as certificates } from "./migrations/006_certificates_expand_1.0.0.ts";
import { up as deferredMail } from "./migrations/007_deferred_mail_expand_1.0.0.ts";
import { up as log } from "./migrations/008_log_expand_1.0.0.ts";
import { up as releases } from "./migrations/009_releases_expand_1.0.0.ts";
import { up as recipients } from "./migrations/010_recipients_expand_1.0.0.ts";
import { up as wallet } from "./migrations/011_wallet_expand_1.0.0.ts";
import { up as hosts } from "./migrations/012_hosts_expand_1.0.0.ts";

/**
 * Migrations of the provider's tables, in order of their names. A released one never changes: `migrations.test.ts` has
 * their hashes.
 */
export const migrations: Record<string, Migration> = {
  "001_tables": { up: tables },
  "002_number_ranges": { up: numberRanges },
  "003_template_placing": { up: templatePlacing },
  "004_directory_expand_1.0.0": { up: directory },
  "005_audit_queue_expand_1.0.0": { up: auditQueue },
  "006_certificates_expand_1.0.0": { up: certificates },
  "007_deferred_mail_expand_1.0.0": { up: deferredMail },
  "008_log_expand_1.0.0": { up: log },
  "009_releases_expand_1.0.0": { up: releases },
  "010_recipients_expand_1.0.0": { up: recipients },
  "011_wallet_expand_1.0.0": { up: wallet },
  "012_hosts_expand_1.0.0": { up: hosts },
};
