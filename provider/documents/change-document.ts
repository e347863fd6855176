import type { Kysely } from "kysely";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { openToAll } from "../contract/document-options.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import {
  type Act,
  actionOf,
  applyAct,
  applyChange,
  changeOf,
  type Changing,
  type DocumentChange,
  updateVersion,
} from "./apply-change.ts";
import { auditedDocument, factsOf, findDocument } from "./document-queries.ts";
import type { Tables } from "../db/tables.ts";
import { documentColumns, type OwnerAndGroup, resolveOwnerAndGroup } from "./columns.ts";
import type { Action } from "./lifecycle.ts";
import { markPastReminders } from "./remind.ts";
import { holdChange } from "../releases/hold.ts";
import { neededReleasers } from "../releases/release-rules.ts";
import { conflict, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { noteChangedExpiry } from "../webhooks/expiries.ts";

/** Changes of issued documents. Each is one transaction, and waits in it if a rule of the company holds it back. */

/**
 * Changes a document's fields. Returns the release's id if a rule holds the change back. Throws 409 for an outdated
 * version.
 */
export async function changeDocument(services: Services, caller: Caller, id: number, change: DocumentChange) {
  const release = await inCallerTransaction(services, caller, async (db, actor) => {
    const before = await findChangeable(db, actor, id);
    const current = await currentOwner(db, id);
    const ownerAndGroup = await resolveOwnerAndGroup(db, actor, change, { right: "write", current });
    if (before.status === "archived") throw conflict("This document is in the archive: restore it first");
    if (change.version !== undefined && change.version !== before.version) {
      throw await staleConflict(db, actor, "document", id);
    }
    const changing = { services, db, actor, before };
    const held = await holdIfRuled(changing, change, ownerAndGroup);
    if (held === undefined) await applyChange(changing, change, ownerAndGroup);
    return held;
  });
  if (release === undefined && change.access_type === openToAll) services.nudgeDrawing();
  return release;
}

/** What strangers see of a document, and which decides until when it is in force. */
const verifiedColumns = [
  "name",
  "document_type",
  "document_subtype",
  "date",
  "expire_type",
  "expire_date",
  "access_type",
] as const;

/**
 * Holds a change back that verification would show, if the document is under a rule before it or after it, and any that
 * brings it under a stricter rule.
 */
async function holdIfRuled({ services, db, actor, before }: Changing, change: DocumentChange, to: OwnerAndGroup) {
  const columns = documentColumns(change, to);
  const facts = await factsOf(db, before);
  const isSame =
    verifiedColumns.every((column) => before[column] === columns[column]) &&
    JSON.stringify(facts.custom_fields) === JSON.stringify(change.custom_fields);
  const after = { ...columns, custom_fields: change.custom_fields };
  const needed = await neededReleasers(db, before.company_id, [facts, after]);
  const unheld = isSame && needed > 0 ? await neededReleasers(db, before.company_id, [facts]) : 0;
  if (needed === unheld) return undefined;
  const document = { ...before, ...columns };
  return holdChange(services, db, actor, { act: "change", document, form: change, needed });
}

/** Acts that give validity wait under any rule, withdrawals if the rule says so; the archive changes nothing of it. */
const heldActs: readonly Action[] = ["prolong", "reactivate", "exit"];
const isHeldAct = (action: Action): action is "prolong" | "reactivate" | "exit" => heldActs.includes(action);

/**
 * Archives, restores, withdraws, reactivates or prolongs a document; withdraws it again `as` it was; allows to prolong it.
 * Returns the release's id if a rule holds that back.
 */
export async function performAction(services: Services, caller: Caller, id: number, act: Act) {
  const action = actionOf(act);
  return inCallerTransaction(services, caller, async (db, actor) => {
    const before = await findChangeable(db, actor, id);
    const changing = { services, db, actor, before };
    const change = await changeOf(changing, act);
    if (!change) return undefined;
    const facts = [await factsOf(db, before)];
    const needed = isHeldAct(action) && (await neededReleasers(db, before.company_id, facts, action === "exit"));
    if (isHeldAct(action) && needed) {
      return holdChange(services, db, actor, { act: action, document: before, form: { act }, needed });
    }
    await applyAct(changing, act, change);
    return undefined;
  });
}

type Earlier = { expire_date: string; prolongation?: number };

/** Undoes a prolongation: gives an active document its earlier expire date, and whether it could be prolonged. */
export async function shortenTo(services: Services, caller: Caller, id: number, earlier: Earlier) {
  const { now } = services;
  const { expire_date } = earlier;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const document = await findChangeable(transaction, actor, id);
    const { name, status } = document;
    if (status !== "active") throw conflict("Only an active document’s prolongation can be undone");
    if (await neededReleasers(transaction, document.company_id, [await factsOf(transaction, document)])) {
      throw conflict("Another user has to release this: change its expire date instead");
    }
    const before = await auditedDocument(transaction, id);
    await updateVersion(transaction, id, earlier);
    await markPastReminders(transaction, id, expire_date, dateIn(actor.timezone, now()));
    const after = await auditedDocument(transaction, id);
    await audit(transaction, {
      actor,
      action: "changed",
      subject: { entity: "document", id, name },
      at: now(),
      before,
      after,
    });
    await noteChangedExpiry(services, transaction, document, { before: document, after: { status, expire_date } });
  });
}

const currentOwner = (db: Kysely<Tables>, id: number) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .where("documents.id", "=", id)
    .select(["owner_id", "documents.branch_id", "users.email_key"])
    .executeTakeFirst();

/** A document that the actor may change. Throws 403 or 404. */
const findChangeable = (db: Kysely<Tables>, actor: Actor, id: number) =>
  findReachable((right) => findDocument(db, actor, id, right), "write");
