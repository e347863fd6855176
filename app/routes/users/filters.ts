import { say } from "#lib/messages/staff.ts";
import type { FilterOf } from "#provider/contract/calls.ts";

/** The list's filters with their labels (`docs/specification.md` section 2). */
export const filterLabels = {
  name: say("common.name"),
  email: say("common.email"),
  index: say("common.index"),
  role: say("common.role"),
  country: say("common.country"),
  city: say("common.city"),
  branch: say("common.branch"),
} satisfies Partial<Record<FilterOf<"listUsers">, string>>;
