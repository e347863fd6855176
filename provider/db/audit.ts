import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Actor } from "../access.ts";
import type { AuditAction, AuditEntity, AuditEntry } from "../contract/audit.ts";
import { conflict } from "../http/errors.ts";
import { shownChanges } from "./audited-fields.ts";
import { timeIn } from "../calendar.ts";
import type { Tables } from "./tables.ts";

type Value = string | number | boolean | null;

/** A record's fields as the contract names and shows them: names for ids, `YYYY-MM-DD` for days. Never a secret. */
export type Values = Record<string, Value | undefined>;

/** What an entry is about. */
export type AuditSubject = { entity: AuditEntity; id: number; name: string };

/**
 * Notes who changed what from which values to which: those of the fields in `after` that are not as they were. Called
 * in the transaction that makes the change.
 */
export async function audit(
  db: Kysely<Tables>,
  actor: Pick<Actor, "id" | "name" | "company_id">,
  action: AuditAction,
  subject: AuditSubject,
  { at, before = {}, after = {} }: { at: Date; before?: Values; after?: Values },
) {
  const changes = changesBetween(before, after);
  // Saving what was there already is no change.
  if (action === "changed" && changes.length === 0) return;
  await db
    .insertInto("audit")
    .values({
      company_id: actor.company_id,
      at: at.toISOString(),
      actor_id: actor.id,
      actor: actor.name,
      action,
      entity: subject.entity,
      entity_id: subject.id,
      entity_name: subject.name,
      changes: JSON.stringify(changes),
    })
    .execute();
}

/** What becomes of a record that is removed: its row stays. */
export const deactivated = { before: { active: true }, after: { active: false } };

/** The fields of `after` that are not as they were. An empty field is one that has nothing. */
const changesBetween = (before: Values, after: Values) =>
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
    .select(["trail", "count", "first_at", "browser", "network"]);

type Row = Awaited<ReturnType<ReturnType<typeof auditRows>["execute"]>>[number];

/** A row of `auditRows` as the contract has it, with the changes that the reader may see. */
export function asEntry({ changes: kept, ...row }: Row, reader: Pick<Actor, "id">) {
  const noted = JSON.parse(kept) as AuditEntry["changes"];
  // Entries of access are for administrators alone, and hold nothing of a record.
  const changes = row.trail === "access" ? noted : shownChanges({ ...row, changes: noted }, reader);
  return { ...row, changes } satisfies z.input<typeof AuditEntry>;
}

/** “NAME changed this at 09:14” (`docs/open-points.md`): the refusal of a change that builds on an older version. */
export async function staleConflict(
  db: Kysely<Tables>,
  { company_id, timezone }: Pick<Actor, "company_id" | "timezone">,
  entity: AuditSubject["entity"],
  id: number,
) {
  const last = await lastChange(db, company_id, entity, id);
  return conflict(last ? `${last.actor} changed this at ${timeIn(timezone, last.at)}` : "Somebody changed this");
}

/** Who changed a record last, and when. */
function lastChange(db: Kysely<Tables>, companyId: number, entity: AuditSubject["entity"], id: number) {
  return (
    db
      .selectFrom("audit")
      .where("company_id", "=", companyId)
      .where("entity", "=", entity)
      .where("entity_id", "=", id)
      .where("trail", "=", "changes")
      // Those change nothing of what the record's form shows.
      .where("action", "not in", ["invited", "joined", "place removed", "erased"])
      .orderBy("id", "desc")
      .select(["actor", "at"])
      .limit(1)
      .executeTakeFirst()
  );
}
