import { hash, X509Certificate } from "node:crypto";
import type { z } from "zod";
import type { SealKey, SealRoot } from "../../contract/seal-keys.ts";
import type { Db } from "../../db/tables.ts";
import type { Services } from "../../services.ts";
import type { OperatorKey } from "#lib/seal/operator-key.ts";
import { nameOf, subjectOf } from "#lib/seal/certificates.ts";
import { isRevokedBy, listAddresses } from "#lib/seal/revocation-list.ts";
import { useOf } from "./next-keys.ts";
import { firstKeys, statusListUrl } from "../status-lists.ts";
import { certifiedName, fingerprintOf, listOf, type SealKeyRow } from "./stored-keys.ts";

const shownColumns = [
  "id",
  "short_id",
  "thumbprint",
  "certificate",
  "created_at",
  "used_from",
  "retired_at",
  "revoked_at",
  "revoked_reason",
] as const;

/** A key for a reply. */
export function keyReply(key: Pick<SealKeyRow, (typeof shownColumns)[number]>) {
  const { id, short_id, thumbprint, used_from, retired_at, revoked_at, revoked_reason } = key;
  const state = revoked_at ? "revoked" : retired_at ? "retired" : used_from ? "active" : "next";
  return {
    id,
    short_id,
    thumbprint,
    fingerprint: fingerprintOf(key.certificate),
    state,
    since: key.created_at,
    used_from: state === "next" ? useOf(key) : used_from,
    ended_at: revoked_at ?? retired_at,
    revoked_reason,
  } satisfies z.input<typeof SealKey>;
}

/** A company's keys for a reply, the newest first. */
export async function keysOf(db: Db, companyId: number) {
  const keys = db
    .selectFrom("seal_keys")
    .where("company_id", "=", companyId)
    .select([...shownColumns, "root_id"]);
  const roots = new Map((await db.selectFrom("seal_roots").selectAll().execute()).map((root) => [root.id, root]));
  const subject = nameOf(await certifiedName(db, companyId));
  return (await keys.orderBy("id", "desc").execute()).map((key) => {
    const certificate = Buffer.from(key.certificate, "base64");
    const hasList = listAddresses(new X509Certificate(certificate)).length > 0;
    const root = roots.get(key.root_id)!;
    const list = listOf(root);
    const isListed = root.private_key !== null || (list !== undefined && isRevokedBy(list, certificate));
    return {
      ...keyReply(key),
      is_outdated: !hasList || !subjectOf(certificate).equals(subject),
      reaches_readers: hasList && isListed,
    };
  });
}

/** The public parts of all keys, or of one company's, in the order in which they were made. */
export async function publishedKeys({ db, publicUrl }: Pick<Services, "db" | "publicUrl">, companyId?: number) {
  const keys = await db
    .selectFrom("seal_keys")
    .innerJoin("companies", "companies.id", "seal_keys.company_id")
    .innerJoin(firstKeys(db).select(["first.company_id", "first.thumbprint as list"]).as("lists"), (join) =>
      join.onRef("lists.company_id", "=", "seal_keys.company_id"),
    )
    .select([
      "x",
      "y",
      "thumbprint",
      "certificate",
      "seal_keys.created_at",
      "used_from",
      "revoked_at",
      "revoked_reason",
      "list",
    ])
    .select(["companies.name", "companies.name_beside_keys"])
    .$if(companyId !== undefined, (rows) => rows.where("seal_keys.company_id", "=", companyId!))
    .orderBy("seal_keys.id")
    .execute();
  return keys.map(
    ({ x, y, thumbprint, certificate, name, name_beside_keys, revoked_at, revoked_reason, list, ...key }) => ({
      kty: "EC" as const,
      crv: "P-256" as const,
      x,
      y,
      alg: "ES256" as const,
      use: "sig" as const,
      kid: thumbprint,
      "x5t#S256": hash("sha256", Buffer.from(certificate, "base64"), "base64url"),
      ...(name_beside_keys && { iss_name: name }),
      nbf: secondsOf(key.used_from ?? useOf(key)),
      status_list: statusListUrl(publicUrl, list),
      ...(revoked_at && { revoked_at: secondsOf(revoked_at), revoked_reason: revoked_reason ?? "unspecified" }),
    }),
  );
}

const secondsOf = (instant: string) => Math.floor(Date.parse(instant) / 1000);

/** The certificates of all roots, the newest first. */
export async function publishedRoots(db: Db): Promise<z.input<typeof SealRoot>[]> {
  const roots = db.selectFrom("seal_roots").select(["certificate", "created_at", "retired_at"]);
  return (await roots.orderBy("id", "desc").execute()).map(({ certificate, created_at, retired_at }) => ({
    ...shownCertificate(Buffer.from(certificate, "base64")),
    since: created_at,
    retired_at,
  }));
}

/** The certificate above the operator's own, which then signs sealed PDFs in place of ours. */
export function operatorsRoot({ chain }: OperatorKey): z.input<typeof SealRoot> {
  const certificate = chain.at(-1)!;
  const since = new X509Certificate(certificate).validFromDate.toISOString();
  return { ...shownCertificate(certificate), since, retired_at: null };
}

function shownCertificate(der: Buffer) {
  const certificate = new X509Certificate(der);
  const subject = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? certificate.subject.replaceAll("\n", ", ");
  return { subject, certificate: certificate.toString(), fingerprint: certificate.fingerprint256 };
}
