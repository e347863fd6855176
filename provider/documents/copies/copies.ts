import type { z } from "zod";
import type { Actor, Caller } from "../../access.ts";
import type { withdrawCopy as withdrawCall } from "../../contract/copies.ts";
import { audit } from "../../audit/audit-queries.ts";
import { findDocument } from "../document-queries.ts";
import type { Db } from "../../db/tables.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { conflict, findReachable, notFound } from "../../http/errors.ts";
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

type WithdrawnCopy = { id: number; n: number };
type Withdrawal = z.output<typeof withdrawCall.body>;

/** Withdraws one copy. Throws 403 or 404, and 409 for an archived document or a withdrawn copy. */
export const withdrawCopy = (services: Services, caller: Caller, copy: WithdrawnCopy, withdrawal: Withdrawal) =>
  inCallerTransaction(services, caller, (transaction, actor) =>
    withdrawCopyAs(transaction, actor, copy, { ...withdrawal, at: services.now() }),
  );

/** The same as an actor in a transaction that holds the company (`inCompanyTransaction`). */
export async function withdrawCopyAs(
  db: Db,
  actor: Actor,
  { id, n }: WithdrawnCopy,
  { reason, note, at }: Withdrawal & { at: Date },
) {
  const { document, copy } = await findChangeable(db, actor, { id, n });
  if (copy.withdrawn_at !== null) throw conflict("This copy is withdrawn already");
  const after = { withdrawn_reason: reason, withdrawn_note: note || null };
  await update(db, { id, n }, { ...after, withdrawn_at: at.toISOString() });
  const subject = { entity: "document", id, name: document.name } as const;
  await audit(db, {
    actor,
    action: "copy withdrawn",
    subject,
    at,
    after: { copy: copyOf(n, document), ...after },
  });
}

/** Undoes that. Throws 403 or 404, and 409 for an archived document or a copy that is not withdrawn. */
export const restoreCopy = (services: Services, caller: Caller, { id, n }: WithdrawnCopy) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const { document, copy } = await findChangeable(transaction, actor, { id, n });
    if (copy.withdrawn_at === null) throw conflict("This copy is not withdrawn");
    const { withdrawn_reason, withdrawn_note } = copy;
    const none = { withdrawn_reason: null, withdrawn_note: null };
    await update(transaction, { id, n }, { ...none, withdrawn_at: null });
    const subject = { entity: "document", id, name: document.name } as const;
    const before = { withdrawn_reason, withdrawn_note };
    const after = { copy: copyOf(n, document), ...none };
    await audit(transaction, { actor, action: "copy restored", subject, at: services.now(), before, after });
  });

/** `2 of 3` */
const copyOf = (n: number, { copies }: { copies: number }) => `${n} of ${copies}`;

async function findChangeable(db: Db, actor: Actor, { id, n }: WithdrawnCopy) {
  const document = await findReachable((right) => findDocument(db, actor, id, right), "write");
  const copy = await db
    .selectFrom("document_copies")
    .where("document_id", "=", id)
    .where("n", "=", n)
    .selectAll()
    .executeTakeFirst();
  if (!copy) throw notFound();
  if (document.status === "archived") throw conflict("This document is in the archive: restore it first");
  return { document, copy };
}

type Columns = {
  withdrawn_at: string | null;
  withdrawn_reason: Withdrawal["reason"] | null;
  withdrawn_note: string | null;
};

const update = (db: Db, { id, n }: WithdrawnCopy, columns: Columns) =>
  db.updateTable("document_copies").set(columns).where("document_id", "=", id).where("n", "=", n).execute();
