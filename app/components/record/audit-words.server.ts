import { t } from "#lib/messages/staff.ts";
import { permissionInWords } from "../user/area-words.ts";
import { actionInWords } from "./audit-actions.server.ts";
import { auditField } from "./audit-fields.server.ts";
import { capital, showDate, showInstant } from "../text/format.ts";
import type { HistoryEntry } from "./history-table.tsx";
import { type RecordField, valueInWords } from "./record-fields.ts";

/** Entries of the audit trail as pages show them; in words before they are sent, so that browsers need not know the words. */

type Value = string | number | boolean | null;

/** An entry as the contract has it. */
type TrailEntry = {
  id: number;
  at: string;
  actor: string;
  /** The API key with which they did it; empty without one. */
  api_key: string;
  action: string;
  entity: string;
  entity_id: number;
  entity_name: string;
  changes: { field: string; before: Value; after: Value }[];
  /** How many times, from `first_at` to `at`. */
  count: number;
  first_at: string | null;
  /** Of access: the client. */
  browser: string;
  network: string;
};

const fieldOf = (entity: string, name: string): RecordField =>
  auditField(entity, name) ?? { name, label: labelOf(name) };

/** A custom field is called as its author called it, another provider's field by its name. */
function labelOf(name: string) {
  const [, custom] = /^custom_fields\[(.*)\]$/s.exec(name) ?? [];
  return custom === undefined
    ? capital(name.replaceAll("_", " "))
    : t("components.auditWords.customField", { name: custom });
}

/** “12 times since 21-11-2026 10:02”; empty for once. */
const timesInWords = ({ count, first_at }: Pick<TrailEntry, "count" | "first_at">, timeZone: string) =>
  count <= 1
    ? ""
    : first_at
      ? t("components.auditWords.timesSince", { count, since: showInstant(first_at, timeZone) })
      : t("components.auditWords.times", { count });

const scopes = { C: "company", B: "branch", P: "personal" } as const;
const rights = { R: "read", W: "write", C: "create", L: "release" } as const;

/** `B:R/W` as `Branch: read, write`. */
const storedPermissionInWords = (scope: string, letters: string) =>
  permissionInWords({
    scope: scopes[scope as keyof typeof scopes],
    rights: letters.split("/").flatMap((letter) => rights[letter as keyof typeof rights] ?? []),
  });

/** An alert's statuses below it say how grave the alert is (`docs/specification.md` section 4). */
const alertCompleted = 3;

function inWords(entity: string, field: RecordField, value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? t("common.yes") : t("common.no");
  if (entity === "alert" && field.name === "status")
    return value === alertCompleted ? t("common.completed") : t("components.auditWords.open");
  if (typeof value === "number") return String(value);
  if (entity === "access group")
    return value.replace(/^([CBP]):([RWCL/]+)$/, (_, ...parts) => storedPermissionInWords(parts[0], parts[1]));
  return showDate(valueInWords(field, value));
}

/** Actions whose changes have no value before: most of them create their record. */
const creating = [
  "founded",
  "added",
  "issued",
  "submitted",
  "exported",
  "downloaded",
  "session ended",
  "API key made",
  "user moved in",
  "user moved out",
  "sent",
  "reminded",
  "link ended",
];

/** An entry's changes by label; `before` is undefined if the record is new. An empty value is an empty text. */
export const changesInWords = ({ action, entity, changes }: Pick<TrailEntry, "action" | "entity" | "changes">) =>
  changes.map(({ field: name, before, after }) => {
    const field = fieldOf(entity, name);
    return {
      label: field.label,
      before: creating.includes(action) ? undefined : inWords(entity, field, before),
      after: inWords(entity, field, after),
    };
  });

/** An entry in words, and times as the time zone has them. */
export function entryInWords(entry: TrailEntry, timeZone: string): HistoryEntry {
  const { id, at, actor, api_key, browser, network, action } = entry;
  const origin = [browser, network].filter(Boolean).join(", ");
  return {
    id,
    at: showInstant(at, timeZone),
    actor,
    by: [api_key && t("components.historyTable.withTheApiKey", { api_key }), origin].filter(Boolean),
    action: actionInWords(action),
    times: timesInWords(entry, timeZone),
    changes: changesInWords(entry),
  };
}

type Read = { rows: TrailEntry[]; timeZone: string };

/** A record's history in words; undefined if there is none. */
export const historyInWords = <Part extends Read>(history: Part | undefined) =>
  history && { ...history, rows: history.rows.map((entry) => entryInWords(entry, history.timeZone)) };
