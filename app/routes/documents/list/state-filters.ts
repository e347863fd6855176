import { t } from "#lib/messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";
import type { ValidityFilter } from "#provider/contract/documents.ts";
import { capital } from "../../../components/text/format.ts";
import { stateWords } from "../../../components/scan/state-words.ts";
import { expiringFilter } from "../../../components/list/expiring-filter.ts";

/** In addresses `value` stays the same in every language. */
type StateFilter = { validity: ValidityFilter; value: string; label: string; condition: string };

const stateFilter = (validity: "in force" | "withdrawn" | "expired", condition: string): StateFilter => ({
  validity,
  value: capital(validity),
  label: stateWords[validity],
  condition,
});

/** The Status filter's choices, which the provider calls validity, and how a sentence says that a document is so. */
export const stateFilters: StateFilter[] = [
  stateFilter("in force", t("documents.stateFilters.isInForce")),
  stateFilter("withdrawn", t("documents.stateFilters.isWithdrawn")),
  stateFilter("expired", t("documents.stateFilters.isExpired")),
  {
    validity: "expiring",
    value: expiringFilter(expiringDays),
    label: t("documents.stateFilters.expiring", { days: expiringDays }),
    condition: t("documents.stateFilters.isExpiring", { days: expiringDays }),
  },
];
