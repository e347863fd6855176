import { t } from "#lib/messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";
import type { ValidityFilter } from "#provider/contract/documents.ts";
import { stateWords } from "../../../components/scan/state-words.ts";

/** The Status filter's choices, which the provider calls validity, and how a sentence says that a document is so. */
export const stateFilters: { value: ValidityFilter; label: string; condition: string }[] = [
  { value: "in force", label: stateWords["in force"], condition: t("documents.stateFilters.isInForce") },
  { value: "withdrawn", label: stateWords.withdrawn, condition: t("documents.stateFilters.isExited") },
  { value: "expired", label: stateWords.expired, condition: t("documents.stateFilters.isExpired") },
  {
    value: "expiring",
    label: t("documents.stateFilters.expiring", { days: expiringDays }),
    condition: t("documents.stateFilters.isExpiring", { days: expiringDays }),
  },
];
