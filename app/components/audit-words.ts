import { showDate, showInstant } from "./format.ts";

/** The audit trail in the words of the pages. */

type Value = string | number | boolean | null;

/** An entry as the contract has it. */
export type Entry = {
  id: number;
  at: string;
  actor: string;
  action: string;
  entity: string;
  entity_id: number;
  entity_name: string;
  changes: { field: string; before: Value; after: Value }[];
  /** How many times, from `first_at` to `at`. */
  count: number;
  first_at: string | null;
  /** Of access: where it came from. */
  browser: string;
  network: string;
};

/** A field's label on the pages that show or change it, for those whose name is not the label already. */
const labels: Record<string, string> = {
  access_type: "Document access type",
  co_profile: "Co profile",
  date: "Creation date",
  document_subtype: "Document subtype",
  document_type: "Document type",
  expire_date: "Expire date",
  expire_type: "Expire type",
  info: "Additional information",
  pending_email: "Email to be confirmed",
  qr_placing: "QR placing",
  staff: "Access group",
  timezone: "Time zone",
  users_access_group: "Company users access group",
};

/** Of documents, where the same name has a longer label. */
const documentLabels: Record<string, string> = {
  email: "User email",
  name: "Document name",
  number: "Document number",
};

/** “12 times since 21-11-2026 10:02”; nothing for once. */
export const timesInWords = ({ count, first_at }: Pick<Entry, "count" | "first_at">, timeZone: string) =>
  count > 1 ? `${count} times${first_at ? ` since ${showInstant(first_at, timeZone)}` : ""}` : "";

/** A text with a capital: actions, kinds and names of fields are sentences' beginnings on pages. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function labelOf(entity: string, field: string) {
  const [, custom] = /^custom_fields\[(.*)\]$/s.exec(field) ?? [];
  if (custom !== undefined) return `Custom field “${custom}”`;
  const own = entity === "document" ? documentLabels[field] : undefined;
  return own ?? labels[field] ?? capital(field.replaceAll("_", " "));
}

const scopes: Record<string, string> = { C: "Company", B: "Branch", P: "Personal" };
const rights: Record<string, string> = { R: "read", W: "write", C: "create" };

/** `B:R/W` as `Branch: read, write`. */
const permissionInWords = (scope: string, given: string) =>
  `${scopes[scope]}: ${given
    .split("/")
    .map((right) => rights[right])
    .join(", ")}`;

/** Fields whose values are codes: how each is said. */
const inWords: Record<string, (value: string) => string> = {
  expire_type: (type) => (type === "date" ? "On a date" : capital(type)),
  qr_placing: (placing) => capital(placing.replaceAll("-", " ").split(":").join(", ")),
  status: capital,
};

/** Of an alert's status; the others say how grave it is (`docs/specification.md` section 4). */
const alertCompleted = 3;

function wordsOf(entity: string, field: string, value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (entity === "alert" && field === "status") return value === alertCompleted ? "Completed" : "Open";
  if (typeof value === "number") return String(value);
  if (entity === "access group")
    return value.replace(/^([CBP]):([RWC/]+)$/, (_, ...parts) => permissionInWords(parts[0], parts[1]));
  return inWords[field]?.(value) ?? showDate(value);
}

/** With these begins what there was nothing of before. */
const beginnings = ["founded", "added", "issued", "exported", "downloaded", "session ended"];

/** What an entry changed; without `before` where the record began with it. Nothing is an empty text. */
export const changesInWords = ({ action, entity, changes }: Pick<Entry, "action" | "entity" | "changes">) =>
  changes.map(({ field, before, after }) => ({
    label: labelOf(entity, field),
    before: beginnings.includes(action) ? undefined : wordsOf(entity, field, before),
    after: wordsOf(entity, field, after),
  }));
