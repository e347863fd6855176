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
  { copies, replaces, replaces_version: _, release: __, release_version: ___, ...draft }: NewDocument,
  received: Received[],
): string {
  // Without a single copy and no replacement, so that the digests of before these were known stay as they are.
  const identified = { ...draft, ...(copies !== 1 && { copies }), ...(replaces && { replaces }) };
  const files = received.map(({ name, sha256 }) => [name, sha256]);
  return hash("sha256", JSON.stringify([identified, files]), "hex");
}

const documentsWithKey = (db: Db, actor: Actor, key: string) =>
  db.selectFrom("documents").where("created_by", "=", actor.id).where("idempotency_key", "=", key).select("id");

const releaseWithKey = (db: Db, actor: Actor, key: string) =>
  db
    .selectFrom("releases")
    .where("drafter_id", "=", actor.id)
    .where("idempotency_key", "=", key)
    .select(["id", "number", "request_digest"])
    .executeTakeFirst();

/** Whether the actor has issued a document with a key, or drafted what waits to be released. */
export const isKeyUsed = async (db: Db, actor: Actor, key: string): Promise<boolean> =>
  Boolean((await documentsWithKey(db, actor, key).executeTakeFirst()) ?? (await releaseWithKey(db, actor, key)));

/** What became of a draft, by its id: a document, or what awaits release. */
export type Issued = { document: number } | { release: number };

/**
 * What the actor issued or drafted with the same key. Throws 409 if they may no longer read it, 422 if the request was
 * another one.
 */
export async function findIssued(db: Db, actor: Actor, request: RequestIdentity): Promise<Issued | undefined> {
  if (request.key === undefined) return undefined;
  const issued = await documentsWithKey(db, actor, request.key).executeTakeFirst();
  if (!issued) {
    const release = await releaseWithKey(db, actor, request.key);
    if (release) requireSameRequest(release, request);
    return release && { release: release.id };
  }
  const document = await findDocument(db, actor, issued.id);
  if (!document) {
    throw conflict("This draft was issued already, as a document that you may no longer see. Ask an administrator.");
  }
  requireSameRequest(document, request);
  return { document: document.id };
}

type Stored = { number: string; request_digest: string | null };

function requireSameRequest({ number, request_digest }: Stored, request: RequestIdentity) {
  if (request_digest === null || request_digest === request.request_digest) return;
  const already = `This draft was issued already, as ${number}, and has been changed since.`;
  throw new HttpError(422, `${already} Look at that document; to issue another one, begin a new draft.`);
}
