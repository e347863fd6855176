import { say } from "#lib/messages/staff.ts";
import type { FilterOf } from "#provider/contract/calls.ts";

/** The list's filters with their labels (`docs/specification.md` section 2). */
export const filterLabels = {
  name: say("common.name"),
  country: say("common.country"),
  city: say("common.city"),
} satisfies Partial<Record<FilterOf<"listBranches">, string>>;
export const filterNames = Object.keys(filterLabels) as FilterOf<"listBranches">[];
