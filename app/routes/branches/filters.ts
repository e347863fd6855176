import { t } from "#lib/messages/staff.ts";
import type { FilterOf } from "#provider/contract/calls.ts";

/** The list's filters with their labels (`docs/specification.md` section 2). */
export const filterLabels = {
  name: t("common.name"),
  country: t("common.country"),
  city: t("common.city"),
} satisfies Partial<Record<FilterOf<"listBranches">, string>>;
export const filterNames = Object.keys(filterLabels) as FilterOf<"listBranches">[];
