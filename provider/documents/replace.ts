import type { z } from "zod";
import type { Actor } from "../access.ts";
import type { storeDocument } from "../contract/document-form.ts";
import type { Right } from "../contract/permissions.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { auditedDocument, findDocument } from "./document-queries.ts";
import type { Db } from "../db/tables.ts";
import { conflict, HttpError, invalid } from "../http/errors.ts";

/** Replacing a document by a newer one, which withdraws it. */

type Replacing = Pick<z.output<typeof storeDocument.body>, "replaces" | "replaces_version">;

/**
 * The document that a new one is to replace; undefined for none. Throws 422 without the right to change it, and 409
 * if it is not active, or not the version that the draft was made from.
 */
export async function findReplaced(
  db: Db,
  actor: Actor,
  { replaces, replaces_version }: Replacing,
  right: Right = "write",
) {
  if (!replaces) return undefined;
  const document = await findDocument(db, actor, replaces, right);
  if (!document) throw invalid({ replaces: "There is no such document to replace, or you can’t change it" });
  const { id, number, status, replaced_by_id, version } = document;
  if (replaced_by_id !== null) throw conflict(`${number} was replaced already: nothing was issued`);
  if (status === "exited")
    throw conflict(`${number} has exited meanwhile, so it can’t be replaced: nothing was issued`);
  if (status !== "active") throw conflict(`${number} is in the archive, so it can’t be replaced: nothing was issued`);
  if (replaces_version !== undefined && replaces_version !== version) {
    const { message } = await staleConflict(db, actor, "document", id);
    throw new HttpError(
      409,
      `${number}, which this one replaces, was changed since you began (${message}). Nothing was issued: look at it, then create the document again`,
    );
  }
  return document;
}

type Replaced = NonNullable<Awaited<ReturnType<typeof findReplaced>>>;

/** Withdraws a document as replaced by another, in the transaction that issues that one. */
export async function markReplaced(db: Db, actor: Actor, { id, name }: Replaced, newer: { id: number; at: Date }) {
  const before = await auditedDocument(db, id);
  await db
    .updateTable("documents")
    .set((eb) => ({
      status: "exited" as const,
      status_since: newer.at.toISOString(),
      replaced_by_id: newer.id,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
  const subject = { entity: "document", id, name } as const;
  const after = await auditedDocument(db, id);
  await audit(db, { actor, action: "exited", subject, at: newer.at, before, after });
}
