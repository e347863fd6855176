import { hash } from "node:crypto";
import type { Received } from "#lib/intake/form-body.ts";
import type { Actor } from "../access.ts";
import type { NewDocument } from "../contract/document-form.ts";
import { findDocument } from "./document-queries.ts";
import type { Db } from "../db/tables.ts";
import { conflict, HttpError } from "../http/errors.ts";

/** Idempotency keys: the same draft sent twice is issued once. */

/** A request's idempotency key, and the digest by which it is recognized as the same request. */
export type RequestIdentity = { key: string | undefined; request_digest: string };

/** The digest of a draft's fields and of its page files' names and contents. */
export function requestDigest(
  { copies, replaces, replaces_version: _, ...draft }: NewDocument,
  received: Received[],
): string {
  // Without a single copy and no replacement, so that the digests of before these were known stay as they are.
  const identified = { ...draft, ...(copies !== 1 && { copies }), ...(replaces && { replaces }) };
  const files = received.map(({ name, sha256 }) => [name, sha256]);
  return hash("sha256", JSON.stringify([identified, files]), "hex");
}

const documentsWithKey = (db: Db, actor: Actor, key: string) =>
  db.selectFrom("documents").where("created_by", "=", actor.id).where("idempotency_key", "=", key).select("id");

/** Whether the actor has issued a document with a key. */
export const isKeyUsed = async (db: Db, actor: Actor, key: string): Promise<boolean> =>
  (await documentsWithKey(db, actor, key).executeTakeFirst()) !== undefined;

/**
 * The id of the document that the actor issued with the same key. Throws 409 if they may no longer read it, 422 if
 * the request was another one.
 */
export async function findIssued(db: Db, actor: Actor, request: RequestIdentity): Promise<number | undefined> {
  const issued =
    request.key === undefined ? undefined : await documentsWithKey(db, actor, request.key).executeTakeFirst();
  if (!issued) return undefined;
  const document = await findDocument(db, actor, issued.id);
  if (!document) {
    throw conflict("This draft was issued already, as a document that you may no longer see. Ask an administrator.");
  }
  if (document.request_digest !== null && document.request_digest !== request.request_digest) {
    const already = `This draft was issued already, as ${document.number}, and has been changed since.`;
    throw new HttpError(422, `${already} Look at that document; to issue another one, begin a new draft.`);
  }
  return document.id;
}
