import { say } from "#messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";
import type { ValidityFilter } from "#provider/contract/documents.ts";
import { stateWords } from "../../components/state-words.ts";

type StateFilter = { validity: ValidityFilter; label: string; condition: string };

/** The Status filter's choices, which the provider calls validity, and how a sentence says that a document is so. */
export const stateFilters: StateFilter[] = [
  { validity: "in force", label: stateWords["in force"], condition: say("documents.stateFilters.isInForce") },
  { validity: "withdrawn", label: stateWords.withdrawn, condition: say("documents.stateFilters.isWithdrawn") },
  { validity: "expired", label: stateWords.expired, condition: say("documents.stateFilters.isExpired") },
  {
    validity: "expiring",
    label: say("documents.stateFilters.expiring", { days: expiringDays }),
    condition: say("documents.stateFilters.isExpiring", { days: expiringDays }),
  },
];
