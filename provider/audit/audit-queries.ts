import type { Kysely } from "kysely";
import type { Actor } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import {
  type AuditAction,
  type AuditEntity,
  type AuditEntry,
  companyActions,
  factorActions,
  moveActions,
} from "../contract/audit.ts";
import { conflict } from "../http/errors.ts";
import { shownChanges } from "./audited-fields.ts";
import { timeIn } from "../calendar/calendar.ts";
import type { Tables } from "../db/tables.ts";
import { enterAudited } from "../log/enter.ts";

type Value = string | number | boolean | null;

/** A record's fields by the contract's names: names in place of ids, days as `YYYY-MM-DD`, never a secret. */
export type Values = Record<string, Value | undefined>;

/** The record that an entry is about. */
export type AuditSubject = { entity: AuditEntity; id: number; name: string };

type AuditedAction = {
  actor: Pick<Actor, "id" | "name" | "company_id" | "key">;
  action: AuditAction;
  subject: AuditSubject;
  at: Date;
  before?: Values;
  after?: Values;
};

/** Adds an audit entry with the fields of `after` that differ from `before`, also to the log. Call it in the transaction of the change. */
export async function audit(
  db: Kysely<Tables>,
  { actor, action, subject, at, before = {}, after = {} }: AuditedAction,
) {
  const changes = changesBetween(before, after);
  // Saving a form without changing it makes no entry.
  if (action === "changed" && changes.length === 0) return;
  const row = {
    company_id: actor.company_id,
    at: at.toISOString(),
    actor_id: actor.id,
    actor: actor.name,
    api_key: actor.key?.name ?? "",
    action,
    entity: subject.entity,
    entity_id: subject.id,
    entity_name: subject.name,
    changes: JSON.stringify(changes),
  };
  const { id } = await db.insertInto("audit").values(row).returning("id").executeTakeFirstOrThrow();
  await enterAudited(db, id, row);
}

/** The actor of what jobs do by themselves. */
export const system = { id: 0, name: "Sealdesk" };

/** The change of a removed record: its row stays. */
export const deactivated = { before: { active: true }, after: { active: false } };

/** The fields of `after` that differ from `before`; empty text equals null. */
export const changesBetween = (before: Values, after: Values) =>
  Object.keys(after)
    .map((field) => ({ field, before: emptyAsNull(before[field]), after: emptyAsNull(after[field]) }))
    .filter(({ before, after }) => before !== after);

const emptyAsNull = (value: Value | undefined) => (value === undefined || value === "" ? null : value);

/** A company's entries. */
export const auditRows = (db: Kysely<Tables>, companyId: number) =>
  db
    .selectFrom("audit")
    .where("audit.company_id", "=", companyId)
    .select(["audit.id", "at", "actor", "action", "entity", "entity_id", "entity_name", "changes"])
    .select(["trail", "count", "first_at", "browser", "network", "api_key"]);

type AuditRow = Awaited<ReturnType<ReturnType<typeof auditRows>["execute"]>>[number];

/** A row of `auditRows` in the contract's form, with the changes that the reader may see. */
export function asEntry({ changes: stored, ...row }: AuditRow, reader: Pick<Actor, "id">) {
  const all = JSON.parse(stored) as AuditEntry["changes"];
  // Access entries are shown to administrators only and contain no record's fields.
  const changes = row.trail === "access" ? all : shownChanges({ ...row, changes: all }, reader);
  return { ...row, changes } satisfies Complete<typeof AuditEntry>;
}

/** The 409 for a change of an outdated version, “NAME changed this at 09:14” (`docs/open-points.md`). */
export async function staleConflict(
  db: Kysely<Tables>,
  { company_id, timezone }: Pick<Actor, "company_id" | "timezone">,
  entity: AuditSubject["entity"],
  id: number,
) {
  const last = await lastChange(db, company_id, entity, id);
  return conflict(last ? `${last.actor} changed this at ${timeIn(timezone, last.at)}` : "Another user changed this");
}

/** A record's last change: by whom and when. */
function lastChange(db: Kysely<Tables>, companyId: number, entity: AuditSubject["entity"], id: number) {
  return (
    db
      .selectFrom("audit")
      .where("company_id", "=", companyId)
      .where("entity", "=", entity)
      .where("entity_id", "=", id)
      .where("trail", "=", "changes")
      // These change no field of the record's form.
      .where("action", "not in", [
        ...moveActions,
        ...companyActions,
        "invited",
        "joined",
        ...factorActions,
        "place removed",
        "erased",
        "identity connected",
        "earlier access ended",
        "copy withdrawn",
        "copy restored",
        "wallet offer made",
      ])
      .orderBy("id", "desc")
      .select(["actor", "at"])
      .limit(1)
      .executeTakeFirst()
  );
}
