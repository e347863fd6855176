import type { Migration } from "kysely/migration";
import { up as firstTables } from "./migrations/001_first_tables.ts";
import { up as outboxAndJobs } from "./migrations/002_outbox_and_jobs.ts";
import { up as search } from "./migrations/003_search.ts";
import { up as searchByLots } from "./migrations/004_search_by_lots.ts";
import { up as documentsByMonth } from "./migrations/005_documents_by_month.ts";
import { up as storedBytes } from "./migrations/006_stored_bytes.ts";
import { up as knownBrowsers } from "./migrations/007_known_browsers.ts";
import { up as pagesToDraw } from "./migrations/009_pages_to_draw.ts";
import { up as emailChanges } from "./migrations/010_email_changes.ts";
import { up as accessAudit } from "./migrations/011_access_audit.ts";
import { up as verdictsAndReopening } from "./migrations/012_verdicts_and_reopening.ts";
import { up as documentsByExpireDate } from "./migrations/013_documents_by_expire_date.ts";
import { up as invitedAt } from "./migrations/014_invited_at.ts";
import { up as sealKeys } from "./migrations/015_seal_keys.ts";
import { up as sealedFiles } from "./migrations/016_sealed_files.ts";
import { up as signedCodes } from "./migrations/017_signed_codes.ts";
import { up as fileChecks } from "./migrations/018_file_checks.ts";
import { up as copies } from "./migrations/019_copies.ts";
import { up as statusLists } from "./migrations/020_status_lists.ts";
import { up as nextKeys } from "./migrations/021_next_keys.ts";
import { up as removedRootKeys } from "./migrations/022_removed_root_keys.ts";
import { up as customValueSearch } from "./migrations/023_custom_value_search.ts";
import { up as bulkActions } from "./migrations/024_bulk_actions.ts";
import { up as withdrawals } from "./migrations/025_withdrawals.ts";
import { up as alertCases } from "./migrations/026_alert_cases.ts";
import { up as templates } from "./migrations/027_templates.ts";
import { up as bulkIssues } from "./migrations/028_bulk_issues.ts";
import { up as imports } from "./migrations/029_imports.ts";
import { up as savedViews } from "./migrations/030_saved_views.ts";
import { up as alertRules } from "./migrations/031_alert_rules.ts";
import { up as singleSignOn } from "./migrations/035_single_sign_on.ts";
import { up as apiKeys } from "./migrations/036_api_keys.ts";
import { up as webhooks } from "./migrations/037_webhooks.ts";
import { up as secondFactors } from "./migrations/038_second_factors.ts";
import { up as passkeys } from "./migrations/039_passkeys.ts";
import { up as languages } from "./migrations/040_languages.ts";
import { up as scansToJudge } from "./migrations/041_scans_to_judge.ts";
import { up as scansByMonth } from "./migrations/042_scans_by_month.ts";
import { up as reachCounters } from "./migrations/043_reach_counters.ts";
import { up as scansByPlace } from "./migrations/044_scans_by_place.ts";
import { up as scansToJudgeByCompany } from "./migrations/045_scans_to_judge_by_company.ts";
import { up as savedViewsByCompany } from "./migrations/046_saved_views_by_company.ts";
import { up as mapOfSuspicions } from "./migrations/047_map_of_suspicions.ts";
import { up as figuresOfAlerts } from "./migrations/048_figures_of_alerts.ts";
import { up as tablesRead } from "./migrations/049_tables_read.ts";
import { up as textReadAlike } from "./migrations/050_text_read_alike.ts";
import { up as provedEmails } from "./migrations/051_proved_emails.ts";
import { up as notes } from "./migrations/052_notes.ts";
import { up as covered } from "./migrations/053_covered.ts";

/**
 * Migrations of the provider's tables, in order of their names. A released one never changes: `migrations.test.ts` has
 * their hashes. 008 was withdrawn before a release.
 */
export const migrations: Record<string, Migration> = {
  "001_first_tables": { up: firstTables },
  "002_outbox_and_jobs": { up: outboxAndJobs },
  "003_search": { up: search },
  "004_search_by_lots": { up: searchByLots },
  "005_documents_by_month": { up: documentsByMonth },
  "006_stored_bytes": { up: storedBytes },
  "007_known_browsers": { up: knownBrowsers },
  "009_pages_to_draw": { up: pagesToDraw },
  "010_email_changes": { up: emailChanges },
  "011_access_audit": { up: accessAudit },
  "012_verdicts_and_reopening": { up: verdictsAndReopening },
  "013_documents_by_expire_date": { up: documentsByExpireDate },
  "014_invited_at": { up: invitedAt },
  "015_seal_keys": { up: sealKeys },
  "016_sealed_files": { up: sealedFiles },
  "017_signed_codes": { up: signedCodes },
  "018_file_checks": { up: fileChecks },
  "019_copies": { up: copies },
  "020_status_lists": { up: statusLists },
  "021_next_keys": { up: nextKeys },
  "022_removed_root_keys": { up: removedRootKeys },
  "023_custom_value_search": { up: customValueSearch },
  "024_bulk_actions": { up: bulkActions },
  "025_withdrawals": { up: withdrawals },
  "026_alert_cases": { up: alertCases },
  "027_templates": { up: templates },
  "028_bulk_issues": { up: bulkIssues },
  "029_imports": { up: imports },
  "030_saved_views": { up: savedViews },
  "031_alert_rules": { up: alertRules },
  "035_single_sign_on": { up: singleSignOn },
  "036_api_keys": { up: apiKeys },
  "037_webhooks": { up: webhooks },
  "038_second_factors": { up: secondFactors },
  "039_passkeys": { up: passkeys },
  "040_languages": { up: languages },
  "041_scans_to_judge": { up: scansToJudge },
  "042_scans_by_month": { up: scansByMonth },
  "043_reach_counters": { up: reachCounters },
  "044_scans_by_place": { up: scansByPlace },
  "045_scans_to_judge_by_company": { up: scansToJudgeByCompany },
  "046_saved_views_by_company": { up: savedViewsByCompany },
  "047_map_of_suspicions": { up: mapOfSuspicions },
  "048_figures_of_alerts": { up: figuresOfAlerts },
  "049_tables_read": { up: tablesRead },
  "050_text_read_alike": { up: textReadAlike },
  "051_proved_emails": { up: provedEmails },
  "052_notes": { up: notes },
  "053_covered": { up: covered },
};
