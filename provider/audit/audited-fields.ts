import type { Actor } from "../access.ts";
import { ruleFields } from "../contract/alert-rules.ts";
import { AccessGroup } from "../contract/access-groups.ts";
import { Alert } from "../contract/alerts.ts";
import { ApiKey } from "../contract/api-keys.ts";
import type { AuditEntity, AuditEntry } from "../contract/audit.ts";
import { Branch } from "../contract/branches.ts";
import { Company } from "../contract/company.ts";
import { Document } from "../contract/documents.ts";
import { RecipientSettings } from "../contract/recipients.ts";
import { Profile } from "../contract/profile.ts";
import { SavedView } from "../contract/views.ts";
import { Template } from "../contract/templates.ts";
import { User } from "../contract/users.ts";
import { Webhook } from "../contract/webhooks.ts";

const fieldsOf = (...records: { shape: object }[]) => new Set(records.flatMap(({ shape }) => Object.keys(shape)));

/**
 * The fields that a record's reply shows its readers. Its history shows changes of these only, so that a new field is
 * hidden until the reply has it. `image` stands for the picture's address.
 */
export const shownFields: Record<AuditEntity, Set<string>> = {
  company: fieldsOf(Company, RecipientSettings)
    .add("image")
    .add("tariff")
    .add("seal_key")
    .add("next_seal_key")
    .add("revoked_reason")
    .add("wallet")
    .add("wallet_fields")
    .add("issuer")
    .add("client_id")
    .add("client_secret")
    .add("groups_claim")
    .add("passwords_off")
    .add("host")
    .add("withdrawal_reason")
    .add("withdrawal_text")
    .add("withdrawal_place")
    .add("number_range")
    .add("document_type")
    .add("branch")
    .add("restarts")
    .add("release_rule")
    .add("bulk_issue")
    .add("rows")
    .add("issued")
    .add("awaiting_release")
    .add("refused"),
  // The last three are of users' moves, whose entries are for those who may see the branch's users (`maySeeMoves`).
  branch: new Set([...fieldsOf(Branch), "image", "active", "user", "from", "to"]),
  "access group": fieldsOf(AccessGroup).add("active"),
  user: fieldsOf(User).add("image").add("api_key").add("scope").add("areas").add("expires_on"),
  // Of one of its copies.
  document: fieldsOf(Document).add("copy").add("withdrawn_reason").add("withdrawn_note"),
  release: new Set(["act", "number", "document_type", "reason"]),
  alert: fieldsOf(Alert),
  view: fieldsOf(SavedView).add("shared"),
  "alert rule": ruleFields,
  template: fieldsOf(Template).add("file").add("active"),
  webhook: fieldsOf(Webhook).add("address").add("key").add("active"),
  recipient: new Set(["document"]),
};

/** The fields that users see of themselves, on My profile as well. */
export const ownFields = fieldsOf(User, Profile, ApiKey).add("image").add("api_key");

type StoredChanges = { entity: string; entity_id: number; changes: AuditEntry["changes"] };

/** The changes of an entry whose fields the reader may see on the record itself. */
export function shownChanges({ entity, entity_id, changes }: StoredChanges, reader: Pick<Actor, "id">) {
  const isOwn = entity === "user" && entity_id === reader.id;
  const fields = isOwn ? ownFields : shownFields[entity as AuditEntity];
  return changes.filter(({ field }) => fields?.has(field.replace(/^custom_fields\[.*\]$/s, "custom_fields")));
}
