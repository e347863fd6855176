import type { z } from "zod";
import type { Actor, Caller } from "../../access.ts";
import type { withdrawCopy as withdrawCall } from "../../contract/copies.ts";
import { audit, type Values } from "../../audit/audit-queries.ts";
import { factsOf, findDocument } from "../document-queries.ts";
import type { Db } from "../../db/tables.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { conflict, findReachable, notFound } from "../../http/errors.ts";
import { holdChange } from "../../releases/hold.ts";
import { neededReleasers } from "../../releases/release-rules.ts";
import type { Services } from "../../services.ts";
import { newCode } from "../codes.ts";

/** Numbered copies. A document's own state stays as it is when one of them is withdrawn. */

type Copied = { id: number; code: string; copies: number };

/** Inserts the copies of a new document that has several. `db` is the transaction that issues it. */
export async function insertCopies(db: Db, { id, code, copies }: Copied) {
  if (copies === 1) return;
  const rows = Array.from({ length: copies }, (_, index) => ({
    document_id: id,
    n: index + 1,
    code: index === 0 ? code : newCode(),
  }));
  await db.insertInto("document_copies").values(rows).execute();
}

type Withdrawal = z.output<typeof withdrawCall.body>;

/** One of a document's copies. */
type CopyOf = { id: number; n: number };
export type CopyWithdrawn = Withdrawal & { n: number };

/** In which right's scope and when it is done; of a release with who drafted it and who released it. */
type Doing = { right: "write" | "release"; at: Date; persons?: Values };

/**
 * Withdraws one copy. Returns the release's id if a rule holds that back. Throws 403 or 404, and 409 for an archived
 * document or a withdrawn copy.
 */
export const withdrawCopy = (services: Services, caller: Caller, { id, n }: CopyOf, withdrawal: Withdrawal) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { document } = await requireCopy(db, actor, { id, n, isWithdrawn: false });
    const facts = [await factsOf(db, document)];
    const needed = await neededReleasers(db, document.company_id, facts, true);
    const form = { n, ...withdrawal };
    if (needed) return holdChange(services, db, actor, { act: "withdraw copy", document, form, needed });
    await withdrawCopyAs(db, actor, { id, ...form, right: "write", at: services.now() });
    return undefined;
  });

/** The same as an actor in a transaction that holds the company (`inCompanyTransaction`), whatever the rules are. */
export async function withdrawCopyAs(
  db: Db,
  actor: Actor,
  { id, n, reason, note, right, at, persons }: CopyOf & CopyWithdrawn & Doing,
) {
  const { document } = await requireCopy(db, actor, { id, n, right, isWithdrawn: false });
  const after = { withdrawn_reason: reason, withdrawn_note: note || null };
  await update(db, { id, n }, { ...after, withdrawn_at: at.toISOString() });
  const subject = { entity: "document", id, name: document.name } as const;
  const changed = { copy: copyOf(n, document), ...after, ...persons };
  await audit(db, { actor, action: "copy withdrawn", subject, at, after: changed });
}

/** Undoes that, likewise. Throws 403 or 404, and 409 for an archived document or a copy that is not withdrawn. */
export const restoreCopy = (services: Services, caller: Caller, { id, n }: CopyOf) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { document } = await requireCopy(db, actor, { id, n, isWithdrawn: true });
    const needed = await neededReleasers(db, document.company_id, [await factsOf(db, document)]);
    if (needed) return holdChange(services, db, actor, { act: "restore copy", document, form: { n }, needed });
    await restoreCopyAs(db, actor, { id, n, right: "write", at: services.now() });
    return undefined;
  });

export async function restoreCopyAs(db: Db, actor: Actor, { id, n, right, at, persons }: CopyOf & Doing) {
  const { document, copy } = await requireCopy(db, actor, { id, n, right, isWithdrawn: true });
  const { withdrawn_reason, withdrawn_note } = copy;
  const none = { withdrawn_reason: null, withdrawn_note: null };
  await update(db, { id, n }, { ...none, withdrawn_at: null });
  const subject = { entity: "document", id, name: document.name } as const;
  const before = { withdrawn_reason, withdrawn_note };
  const after = { copy: copyOf(n, document), ...none, ...persons };
  await audit(db, { actor, action: "copy restored", subject, at, before, after });
}

/** `2 of 3` */
const copyOf = (n: number, { copies }: { copies: number }) => `${n} of ${copies}`;

type Required = CopyOf & { right?: Doing["right"]; isWithdrawn: boolean };

async function requireCopy(db: Db, actor: Actor, { id, n, right = "write", isWithdrawn }: Required) {
  const document =
    right === "write"
      ? await findReachable((reach) => findDocument(db, actor, id, reach), "write")
      : await findDocument(db, actor, id, right);
  if (!document) throw notFound();
  const copy = await db
    .selectFrom("document_copies")
    .where("document_id", "=", id)
    .where("n", "=", n)
    .selectAll()
    .executeTakeFirst();
  if (!copy) throw notFound();
  if (document.status === "archived") throw conflict("This document is in the archive: restore it first");
  if (isWithdrawn && copy.withdrawn_at === null) throw conflict("This copy is not withdrawn");
  if (!isWithdrawn && copy.withdrawn_at !== null) throw conflict("This copy is withdrawn already");
  return { document, copy };
}

type Columns = {
  withdrawn_at: string | null;
  withdrawn_reason: Withdrawal["reason"] | null;
  withdrawn_note: string | null;
};

const update = (db: Db, { id, n }: CopyOf, columns: Columns) =>
  db.updateTable("document_copies").set(columns).where("document_id", "=", id).where("n", "=", n).execute();
