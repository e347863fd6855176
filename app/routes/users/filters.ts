import { t } from "#lib/messages/staff.ts";
import type { FilterOf } from "#provider/contract/calls.ts";

/** The list's filters with their labels (`docs/specification.md` section 2). */
export const filterLabels = {
  name: t("common.name"),
  email: t("common.email"),
  index: t("common.index"),
  role: t("common.role"),
  country: t("common.country"),
  city: t("common.city"),
  branch: t("common.branch"),
} satisfies Partial<Record<FilterOf<"listUsers">, string>>;
