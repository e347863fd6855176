import { foldEmail } from "#lib/text.ts";
import type { Actor, Caller } from "../access.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { planOf } from "../bulk-issues/bulk-issue-queries.ts";
import { columnOfField, readRow, storedProblems } from "../bulk-issues/rows.ts";
import type { NewDocument } from "../contract/document-form.ts";
import type { Db } from "../db/tables.ts";
import { type Act, applyAct, applyChange, changeOf, type DocumentChange } from "../documents/apply-change.ts";
import { documentColumns, resolveOwnerAndGroup } from "../documents/columns.ts";
import { type CopyWithdrawn, restoreCopyAs, withdrawCopyAs } from "../documents/copies/copies.ts";
import { findDocument } from "../documents/document-queries.ts";
import { insertDocument, nudgeAfterIssue } from "../documents/issue.ts";
import { numberColumns } from "../documents/numbers.ts";
import { findReplaced } from "../documents/replace.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, HttpError, notFound } from "../http/errors.ts";
import { sendIssued } from "../recipients/recipients.ts";
import type { Services } from "../services.ts";
import type { StoredPageFile, StoredRelease } from "./hold.ts";
import { findRelease, personsOf } from "./release-queries.ts";

/** Releasing what waits, returning it and giving it up. Each is one transaction that holds the company. */

type Seen = { version: number };

/** Releases what waits, in the version that the caller saw: of two users the first one lets it wait for the second. */
export async function release(services: Services, caller: Caller, id: number, seen: Seen): Promise<void> {
  const { now } = services;
  const access_type = await inCallerTransaction(services, caller, async (db, actor) => {
    const waiting = await findReleasable(db, actor, id, seen);
    const at = now();
    const subject = { entity: "release", id, name: waiting.name } as const;
    await audit(db, { actor, action: "released", subject, at });
    if (waiting.needed === 2 && waiting.first_id === null) {
      await update(db, id, { first_id: actor.id, changed_at: at.toISOString() });
      return undefined;
    }
    // Before its document counts: what waits is part of the quota too, and its key must be free.
    const emptied = { form: "{}", page_files: "[]", idempotency_key: null };
    const released = { state: "released", released_id: actor.id, changed_at: at.toISOString(), told: 0 } as const;
    await update(db, id, { ...emptied, ...released });
    return letGo(services, db, actor, waiting);
  });
  if (access_type !== undefined) nudgeAfterIssue(services, { access_type });
}

/** Returns what waits to its drafter. */
export const returnToDrafter = (
  services: Services,
  caller: Caller,
  id: number,
  { version, reason }: Seen & { reason: string },
): Promise<void> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { name } = await findReleasable(db, actor, id, { version });
    const at = services.now();
    const returned = { state: "returned", reason, first_id: null, told: 0, changed_at: at.toISOString() } as const;
    await update(db, id, { ...returned, version: version + 1 });
    await audit(db, {
      actor,
      action: "returned",
      subject: { entity: "release", id, name },
      at,
      after: { reason },
    });
  });

/** Gives up the caller's own draft, or a removed user's, whose files the sweep of orphans takes. */
export const discard = (services: Services, caller: Caller, id: number): Promise<void> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { name, drafter_id, is_drafter_active, state } = await findRelease(db, actor, id);
    if (drafter_id !== actor.id && is_drafter_active === 1) {
      throw new HttpError(403, "Only its drafter can give it up: return it instead");
    }
    if (state === "released") throw conflict("It was released meanwhile");
    await db.deleteFrom("releases").where("id", "=", id).execute();
    await refuseGivenUp(db, id);
    await audit(db, { actor, action: "given up", subject: { entity: "release", id, name }, at: services.now() });
  });

/** The row of a bulk issue that became what was given up: it is issued no more. */
async function refuseGivenUp(db: Db, id: number) {
  const problems = storedProblems([{ column: "", message: "It was given up before its release" }]);
  const rows = db.updateTable("bulk_issue_rows").set({ state: "refused", release_id: null, problems });
  const of = rows.where("release_id", "=", id).where("release_id", ">", 0).returning("bulk_issue_id");
  const row = await of.executeTakeFirst();
  if (!row) return;
  const issue = db.updateTable("bulk_issues").where("id", "=", row.bulk_issue_id);
  await issue.set((eb) => ({ issued: eb("issued", "-", 1), refused: eb("refused", "+", 1) })).execute();
}

const update = (db: Db, id: number, columns: Partial<StoredRelease>) =>
  db.updateTable("releases").set(columns).where("id", "=", id).execute();

/** Throws 403 for the drafter and whoever released it already, 404 out of reach, and 409 if it was decided or changed. */
async function findReleasable(db: Db, actor: Actor, id: number, { version }: Seen) {
  const { may_release, ...waiting } = await findRelease(db, actor, id);
  if (waiting.drafter_id === actor.id) throw new HttpError(403, "Another user has to release what you drafted");
  if (waiting.state !== "waiting") throw conflict(`It was ${waiting.state} meanwhile`);
  if (waiting.version !== version) throw await staleConflict(db, actor, "release", id);
  if (waiting.first_id === actor.id) throw new HttpError(403, "You have released it: now another user has to");
  if (!may_release) throw notFound();
  return waiting;
}

/** Does what waited. Returns the access type of a document that was issued or opened to all. */
async function letGo(services: Services, db: Db, actor: Actor, waiting: StoredRelease) {
  const persons = await personsOf(db, waiting, actor);
  if (waiting.act === "issue") return issueReleased(services, db, actor, { waiting, persons });
  const before = await findDocument(db, actor, waiting.document_id!, "release");
  if (!before) throw notFound();
  if (before.version !== waiting.document_version) {
    throw conflict(`${before.number} was changed since this was asked for: return it to its drafter`);
  }
  const changing = { services, db, actor, before, persons };
  const form = JSON.parse(waiting.form) as object;
  if (waiting.act === "change") {
    const change = form as DocumentChange;
    await applyChange(changing, change, await ownerAndGroupOf(db, actor, waiting, change));
    return change.access_type;
  }
  const at = services.now();
  const copy = { id: before.id, right: "release", persons, at } as const;
  if (waiting.act === "withdraw copy") await withdrawCopyAs(db, actor, { ...copy, ...(form as CopyWithdrawn) });
  else if (waiting.act === "restore copy") await restoreCopyAs(db, actor, { ...copy, ...(form as { n: number }) });
  else {
    const { act } = form as { act: Act };
    const change = await changeOf(changing, act);
    if (!change) throw conflict(`${before.number} is so already: return it to its drafter`);
    await applyAct(changing, act, change);
  }
  return undefined;
}

type Released = { waiting: StoredRelease; persons: Awaited<ReturnType<typeof personsOf>> };

async function issueReleased(services: Services, db: Db, actor: Actor, { waiting, persons }: Released) {
  const draft = JSON.parse(waiting.form) as NewDocument;
  const { id, folder, drafter_id, request_digest, idempotency_key } = waiting;
  const document = await insertDocument(db, services, actor, {
    row: {
      ...documentColumns(draft, await ownerAndGroupOf(db, actor, waiting, draft)),
      ...numberColumns(waiting.number),
      folder: folder!,
    },
    draft,
    pageFiles: JSON.parse(waiting.page_files) as StoredPageFile[],
    identity: { key: idempotency_key ?? undefined, request_digest: request_digest! },
    replaced: await findReplaced(db, actor, draft, "release"),
    release: { drafter_id, persons },
  });
  await update(db, id, { document_id: document });
  const rows = db.updateTable("bulk_issue_rows").set({ document_id: document }).where("release_id", "=", id);
  const row = await rows.where("release_id", ">", 0).returning(["bulk_issue_id", "cells"]).executeTakeFirst();
  if (row) await sendAsRowSays(services, db, actor, { ...row, document, release: id });
  return draft.access_type;
}

type ReleasedRow = { bulk_issue_id: number; cells: string; document: number; release: number };

/** Sends a bulk issue's document to the recipient of its row, which says why if it can’t be sent any more. */
async function sendAsRowSays(
  services: Services,
  db: Db,
  actor: Actor,
  { bulk_issue_id, cells, document, release: id }: ReleasedRow,
) {
  const issues = db.selectFrom("bulk_issues").where("id", "=", bulk_issue_id).selectAll();
  const plan = planOf(await issues.executeTakeFirstOrThrow());
  const { recipient } = readRow(plan, JSON.parse(cells) as string[]);
  try {
    if (recipient) await sendIssued(services, db, actor, { id: document, recipient });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const unsent = { column: columnOfField(plan, "recipient_email"), message: `Not sent: ${error.message}` };
    const row = db.updateTable("bulk_issue_rows").set({ problems: storedProblems([unsent]) });
    await row.where("release_id", "=", id).where("release_id", ">", 0).execute();
  }
}

type Names = Parameters<typeof resolveOwnerAndGroup>[2];

/** The owner and branch stay, as in documents, also if they have left since; a removed access group is refused (422). */
function ownerAndGroupOf(db: Db, actor: Actor, { owner_id, branch_id }: StoredRelease, names: Names) {
  const current = { owner_id, branch_id, email_key: foldEmail(names.email) };
  return resolveOwnerAndGroup(db, actor, names, { right: "write", current });
}
