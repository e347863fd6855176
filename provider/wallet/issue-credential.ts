import { type JsonWebKey, randomInt } from "node:crypto";
import type { z } from "zod";
import { makeCredential } from "#lib/seal/sd-jwt.ts";
import { dateIn, dayBounds } from "../calendar/calendar.ts";
import type { issueCredential as issueCall } from "../contract/wallet.ts";
import { privateWalletFields, type WalletField, walletFields } from "../contract/wallet-fields.ts";
import type { Db } from "../db/tables.ts";
import { withCustomFields } from "../documents/document-queries.ts";
import { HttpError, serviceUnavailable } from "../http/errors.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { holderKey, invalidProof } from "./holder-proofs.ts";
import { activeIssuer, fieldsOf, type Issuer, issuerUrl, keyOf, typeUrl, walletListUrl } from "./issuers.ts";
import { configurationId } from "./metadata.ts";
import { oauthError } from "./offers.ts";
import { findSecret, useSecret } from "./secrets.ts";
import { walletEntries } from "./wallet-lists.ts";

const unknownToken = () => new HttpError(401, "This token was used, or has expired", { error: "invalid_token" });

const seconds = (instant: string | Date) => Math.floor(new Date(instant).getTime() / 1000);

/** Issues the document of a token, once. Throws 400, 401, and `SealKeysLocked`. */
export async function issueCredential(
  services: Services,
  token: string,
  { credential_configuration_id, proofs, proof: single }: z.output<typeof issueCall.body>,
): Promise<string> {
  const held = await findSecret(services.db, services, "token", token);
  if (!held) throw unknownToken();
  if (credential_configuration_id !== configurationId) {
    throw oauthError("unknown_credential_configuration", "There is no such credential");
  }
  const [proof, ...more] = [...proofs.jwt, ...(single ? [single.jwt] : [])];
  if (proof === undefined || more.length > 0) throw invalidProof();
  const [issuer, document] = [await activeIssuer(services.db, held.company_id), await documentOf(services.db, held)];
  const today = dateIn(issuer?.timezone ?? "UTC", services.now());
  if (!issuer || validityOf(document, today) !== "in force") {
    throw oauthError("credential_request_denied", "This document can no longer be added to a wallet");
  }
  const jwk = holderKey(services, proof, issuerUrl(services.publicUrl, issuer.issuer));
  const { kid, sign } = await keyOf(services, issuer.id);
  return services.db.transaction().execute(async (db) => {
    // Of two requests with a token, the other one has used it.
    if (!(await useSecret(db, services, "token", token))) throw unknownToken();
    const idx = await insertCredential(db, services, held);
    const { always, hideable } = claimsOf(services, issuer, document);
    const status = { status_list: { idx, uri: walletListUrl(services.publicUrl, issuer.issuer) } };
    return makeCredential(kid, { ...always, status, cnf: { jwk } satisfies { jwk: JsonWebKey } }, hideable, sign);
  });
}

const maxTries = 16;

/** Records a credential and returns its place in the list, which says nothing of how many there are. */
async function insertCredential(db: Db, { now }: Services, held: { company_id: number; document_id: number }) {
  for (let n = 0; n < maxTries; n++) {
    const row = { ...held, idx: randomInt(walletEntries), issued_at: now().toISOString() };
    const insert = db
      .insertInto("wallet_credentials")
      .values(row)
      .onConflict((conflict) => conflict.doNothing());
    if (await insert.returning("id").executeTakeFirst()) return row.idx;
  }
  throw serviceUnavailable("This company’s list of credentials is full", 3600);
}

async function documentOf(db: Db, { company_id, document_id }: { company_id: number; document_id: number }) {
  const document = await db
    .selectFrom("documents")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .where("documents.id", "=", document_id)
    .where("documents.company_id", "=", company_id)
    .select([
      "documents.id",
      "number",
      "documents.name",
      "document_type",
      "document_subtype",
      "branches.name as branch",
    ])
    .select(["date", "expire_date", "pages", "code", "status", "status_before_archive"])
    .executeTakeFirstOrThrow();
  return (await withCustomFields(db, [document]))[0]!;
}

/** A document's claims: those that every verifier sees, and those that its holder may leave out. */
function claimsOf({ publicUrl, now }: Services, issuer: Issuer, document: Awaited<ReturnType<typeof documentOf>>) {
  const chosen = fieldsOf(issuer);
  const { number, date, expire_date, custom_fields, ...columns } = document;
  const own = Object.fromEntries(custom_fields.map(({ name, value }) => [name, value]));
  const values: Record<WalletField, unknown> = {
    ...columns,
    branch: columns.branch ?? "",
    custom_fields: custom_fields.length > 0 ? own : "",
  };
  const claims = (fields: readonly WalletField[]) =>
    Object.fromEntries(fields.filter((field) => values[field] !== "").map((field) => [field, values[field]]));
  const shown = walletFields.filter((field) => !chosen.includes(field) && !privateWalletFields.includes(field));
  const always = {
    iss: issuerUrl(publicUrl, issuer.issuer),
    vct: typeUrl(publicUrl, issuer.issuer),
    iat: seconds(now()),
    ...(expire_date && { exp: seconds(dayBounds(issuer.timezone, expire_date).end) }),
    issuer_name: issuer.name,
    number,
    date,
    ...claims(shown),
  };
  return { always, hideable: claims(chosen) };
}
