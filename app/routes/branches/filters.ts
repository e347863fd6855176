import { say } from "#lib/messages/staff.ts";

/** The list's filters with their labels (`docs/specification.md` section 2); it is sorted by the same columns. */
export const filterLabels = { name: say("common.name"), country: say("common.country"), city: say("common.city") };
export const columns = Object.keys(filterLabels);
