import type { Insertable, Selectable } from "kysely";
import type { Inspected } from "#lib/page-files/file-types.ts";
import type { Received } from "#lib/intake/form-body.ts";
import type { Actor } from "../access.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { enforceQuota } from "../company/storage.ts";
import type { NewDocument } from "../contract/document-form.ts";
import type { ReleaseAct } from "../contract/releases.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { RequestIdentity } from "../documents/idempotency.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Holding back what other users have to release: it is a row of its own and no document, so nothing verifies it. */

export type StoredRelease = Selectable<Tables["releases"]>;

/** A page file as what awaits release remembers it. */
export type StoredPageFile = Inspected & Pick<Received, "name" | "bytes" | "sha256">;

type Target = Pick<StoredRelease, "name" | "number" | "document_type" | "owner_id" | "branch_id" | "access_group_id">;

const targetColumns = ({ name, number, document_type, owner_id, branch_id, access_group_id }: Target) => ({
  name,
  number,
  document_type,
  owner_id,
  branch_id,
  access_group_id,
});

type Resending = Pick<NewDocument, "release" | "release_version">;

/** What a draft takes the place of; undefined for a new one. Throws 422 for others' and 409 if it was released or changed. */
export async function findResent(db: Db, actor: Actor, { release, release_version }: Resending) {
  if (!release) return undefined;
  const own = db.selectFrom("releases").where("id", "=", release).where("drafter_id", "=", actor.id);
  const earlier = await own.where("act", "=", "issue").selectAll().executeTakeFirst();
  if (!earlier) throw invalid({ release: "This draft was given up, or is another user’s" });
  if (earlier.state === "released") throw conflict(`${earlier.number} was released meanwhile: nothing was changed`);
  if (release_version !== undefined && release_version !== earlier.version) {
    throw await staleConflict(db, actor, "release", earlier.id);
  }
  return earlier;
}

type HeldDraft = {
  row: Target & { number_read: string; folder: string };
  draft: NewDocument;
  pageFiles: StoredPageFile[];
  identity: RequestIdentity;
  needed: number;
  resent: StoredRelease | undefined;
};

/** Stores a draft until it is released, with its number reserved. Returns the release's id. Throws 409 without storage left. */
export async function holdDraft(
  services: Services,
  db: Db,
  actor: Actor,
  { row, draft, pageFiles, identity, needed, resent }: HeldDraft,
): Promise<number> {
  const files = pageFiles.map(({ name, bytes, sha256, type, pages, width, height, notes, covered }) => {
    return { name, bytes, sha256, type, pages, width, height, notes, covered };
  });
  const id = await store(services, db, actor, {
    ...targetColumns(row),
    act: "issue",
    number_read: row.number_read,
    form: JSON.stringify(draft),
    page_files: JSON.stringify(files),
    folder: row.folder,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    idempotency_key: identity.key ?? null,
    request_digest: identity.request_digest,
    document_id: null,
    document_version: null,
    needed,
    resent,
  });
  await enforceQuota(services, db, actor.company_id, { furtherSeals: 0 });
  return id;
}

type HeldChange = {
  act: Exclude<ReleaseAct, "issue">;
  document: Target & { id: number; version: number };
  form: object;
  needed: number;
};

/** Stores a change of a document until it is released. Throws 409 if such a one waits already. */
export async function holdChange(
  services: Services,
  db: Db,
  actor: Actor,
  { act, document, form, needed }: HeldChange,
): Promise<number> {
  const same = db
    .selectFrom("releases")
    .where("document_id", "=", document.id)
    .where("state", "=", "waiting")
    .where("act", "=", act)
    // Of copies each has its own.
    .$if(act.endsWith("copy"), (query) => query.where("form", "=", JSON.stringify(form)));
  if (await same.select("id").executeTakeFirst()) {
    throw conflict(`This awaits release already, for ${document.number}: nothing was changed`);
  }
  return store(services, db, actor, {
    ...targetColumns(document),
    act,
    form: JSON.stringify(form),
    folder: null,
    idempotency_key: null,
    request_digest: null,
    document_id: document.id,
    document_version: document.version,
    needed,
  });
}

type NewRelease = Omit<
  Insertable<Tables["releases"]>,
  "company_id" | "drafter_id" | "first_id" | "released_id" | "created_at" | "changed_at"
>;

async function store(
  { now }: Services,
  db: Db,
  actor: Actor,
  { resent, ...columns }: NewRelease & { resent?: StoredRelease | undefined },
) {
  const at = now();
  const row = {
    ...columns,
    company_id: actor.company_id,
    drafter_id: actor.id,
    state: "waiting" as const,
    first_id: null,
    released_id: null,
    reason: "",
    told: 0,
    created_at: at.toISOString(),
    changed_at: at.toISOString(),
    version: (resent?.version ?? 0) + 1,
  };
  const stored = resent
    ? db.updateTable("releases").set(row).where("id", "=", resent.id).returning("id")
    : db.insertInto("releases").values(row).returning("id");
  const { id } = await stored.executeTakeFirstOrThrow();
  const { act, number, document_type } = row;
  const subject = { entity: "release", id, name: row.name } as const;
  await audit(db, { actor, action: "submitted", subject, at, after: { act, number, document_type } });
  return id;
}
