import { expect, test } from "vitest";
import { ownFields, shownFields } from "#provider/audit/audited-fields.ts";
import { auditField } from "./audit-fields.server.ts";

/**
 * What records have and no entry notes: what the system counts, dates, derives or stores by another name. A field that is
 * noted leaves this list for one with a label.
 */
const neverNoted = [
  "id version branch_id staff_id owner_id document_id users_access_group_id img imageUrl created_at custom_fields",
  "members invited_at has_password ending expired last_used_at exposed_at",
  "category validity ended prolonged_until code verify_url files notes log_entry log_pending",
  "document latitude longitude accuracy place_is_rounded reason count alert other_places",
  "owner_active first_seen_at first_seen_by completed_at",
  "list shared_with is_own is_default bytes width height changed_at",
  "disabled_at failures failing_since succeeded_at paused_until waiting failed dropped dropped_at public_key",
  "earlier_key_until",
  "awaiting_release",
].flatMap((names) => names.split(" "));

test.each([...Object.entries(shownFields), ["user’s own record", ownFields] as const])(
  "each field of a %s that entries note has a label in the catalogue",
  (kind, names) => {
    const entity = kind === "user’s own record" ? "user" : kind;
    const unlabelled = [...names].filter((name) => !neverNoted.includes(name) && !auditField(entity, name));
    expect(unlabelled).toEqual([]);
  },
);
