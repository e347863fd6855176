import { randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import type { AuditAction } from "../contract/audit.ts";
import { isAmong } from "../db/lists.ts";
import type { Db, Tables } from "../db/tables.ts";
import {
  auditDigest,
  canonical,
  documentStates,
  firstStates,
  type LoggedAudit,
  type LogRecord,
  otherKinds,
} from "./records.ts";

/** Writes the log's entries, in the transaction of what they record; a job numbers them (`number.ts`). */

const newSalt = () => randomBytes(16).toString("base64url");

type NewEntry = Pick<Insertable<Tables["log_entries"]>, "company_id" | "entity" | "entity_id"> & {
  record: LogRecord;
  audit_id?: number;
  audit_salt?: string;
};

export async function enter(db: Db, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ record, audit_id = null, audit_salt = null, ...entry }) => {
    return { ...entry, audit_id, audit_salt, record: canonical(record), salt: newSalt() };
  });
  await db.insertInto("log_entries").values(rows).execute();
}

/** Nobody's affair but the company's and the holder's: whoever may see a document's records reads that it was changed. */
const withheld = new Set<string>(["wallet offer made"] satisfies AuditAction[]);

/** Enters an audit entry of changes, and what a document is after it. */
export async function enterAudited(db: Db, id: number, row: LoggedAudit): Promise<void> {
  const { company_id, entity, entity_id, at, action } = row;
  const audit_salt = newSalt();
  const isDocument = entity === "document";
  const state = isDocument && (await documentStates(db, [entity_id])).get(entity_id);
  const first = action === "issued" && isDocument && (await firstStates(db, [entity_id])).get(entity_id);
  const record = {
    ...state,
    ...first,
    kind: !isDocument ? otherKinds.audit : withheld.has(action) ? "changed" : action,
    at,
    audit: auditDigest(row, audit_salt),
  };
  await enter(db, [{ company_id, entity, entity_id, audit_id: id, audit_salt, record }]);
}

type LoggedKey = Pick<Tables["seal_keys"], "company_id" | "thumbprint"> & { id: number };

export const sealKeyEntity = "seal key";

/** Enters that a company's key was made or revoked. */
export const enterSealKey = (
  db: Db,
  { id, company_id, thumbprint }: LoggedKey,
  more: LogRecord & { kind: (typeof otherKinds)["sealKeyMade" | "sealKeyRevoked" | "existing" | "late"] },
) => enter(db, [{ company_id, entity: sealKeyEntity, entity_id: id, record: { ...more, kid: thumbprint } }]);

/** Deletes the salts of audit entries that are erased or deleted: nobody is to find out what their digests are of. */
export const forgetAudited = (db: Db, auditIds: number[]) =>
  db
    .updateTable("log_entries")
    .set({ audit_salt: null })
    .where(isAmong(db, "audit_id", auditIds))
    .execute();
