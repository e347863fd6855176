import { t } from "#lib/messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";
import type { MailFilter, ValidityFilter } from "#provider/contract/documents.ts";
import { stateWords } from "../../../components/scan/state-words.ts";

type FilterChoice<Value> = { value: Value; label: string; condition: string };

/** The Status filter's choices, which the provider calls validity, and how a sentence says that a document is so. */
export const stateFilters: FilterChoice<ValidityFilter>[] = [
  { value: "in force", label: stateWords["in force"], condition: t("documents.stateFilters.isInForce") },
  { value: "withdrawn", label: stateWords.withdrawn, condition: t("documents.stateFilters.isExited") },
  { value: "expired", label: stateWords.expired, condition: t("documents.stateFilters.isExpired") },
  {
    value: "expiring",
    label: t("documents.stateFilters.expiring", { days: expiringDays }),
    condition: t("documents.stateFilters.isExpiring", { days: expiringDays }),
  },
];

/** The same of mails to recipients. */
export const mailFilters: FilterChoice<MailFilter>[] = [
  {
    value: "undelivered",
    label: t("documents.mailFilters.undelivered"),
    condition: t("documents.mailFilters.isUndelivered"),
  },
  { value: "unopened", label: t("documents.mailFilters.unopened"), condition: t("documents.mailFilters.isUnopened") },
];
