import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Caller } from "../access.ts";
import { IdentityProvider, type setIdentityProvider } from "../contract/single-sign-on.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { companySubject } from "../company/company-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid } from "../http/errors.ts";
import { decryptSecret, encryptSecret, SecretLocked } from "../secrets.ts";
import type { Services } from "../services.ts";
import { type Configuration, clientSecretPurpose, returnAddress, signInAddress } from "./configuration.ts";
import { requireIssuer } from "./issuers.ts";
import { readingAnswers, refusalOf } from "./refusals.ts";
import { afterSignOut, identitySession } from "./sign-out.ts";

/** A company's own identity provider: configured and removed by its administrators. */

type Given = z.output<typeof setIdentityProvider.body>;

const rowOf = (db: Db, companyId: number) =>
  db.selectFrom("identity_providers").where("company_id", "=", companyId).selectAll().executeTakeFirst();

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>;

/** For administrators; the secret itself never leaves. */
export async function identityProviderReply({ db, publicUrl }: Services, companyId: number): Promise<IdentityProvider> {
  const row = await rowOf(db, companyId);
  const sign_out_address = afterSignOut(publicUrl);
  if (!row) return IdentityProvider.parse({ sign_out_address });
  return {
    ...shownFields(row),
    has_secret: row.client_secret !== null,
    sign_in_address: signInAddress(publicUrl, row.address),
    return_address: returnAddress(publicUrl, row),
    sign_out_address,
    version: row.version,
  };
}

const shownFields = ({ issuer, client_id, groups_claim, passwords_off }: Omit<Row, "company_id">) => ({
  issuer,
  client_id,
  groups_claim,
  passwords_off: passwords_off === 1,
});

/** Stores a configuration whose identity provider answers. Throws 422 by field, 409 for an outdated version. */
export async function configure(services: Services, caller: Caller, input: Given) {
  const { db, now } = services;
  const company_id = caller.company_id;
  const stored = await rowOf(db, company_id);
  const secret = input.client_secret || storedSecret(services, stored);
  if (!secret) throw invalid({ client_secret: "Enter the client secret" });
  const address = stored?.address ?? randomBytes(16).toString("base64url");
  await requireAnswer(services, { company_id, address, secret, input });
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await rowOf(transaction, company_id);
    if (input.version !== undefined && input.version !== (before?.version ?? 0)) {
      throw before
        ? await staleConflict(transaction, actor, "company", company_id)
        : conflict("Another administrator removed the configuration");
    }
    if (input.passwords_off && !before?.passwords_off) await requireTried(transaction, caller, input.issuer);
    const row = {
      address: before?.address ?? address,
      issuer: input.issuer,
      client_id: input.client_id,
      client_secret: encryptSecret(services, clientSecretPurpose({ company_id }), secret),
      groups_claim: input.groups_claim,
      passwords_off: input.passwords_off ? 1 : 0,
      version: (before?.version ?? 0) + 1,
    };
    await transaction
      .insertInto("identity_providers")
      .values({ company_id, ...row })
      .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
      .execute();
    // Another identity provider identifies users anew.
    if (before && before.issuer !== input.issuer) await forgetIdentities(transaction, company_id);
    const subject = await companySubject(transaction, company_id);
    const fields = { ...shownFields(row), ...(input.client_secret && { client_secret: "(entered)" }) };
    const changes = { before: before && shownFields(before), after: fields };
    await audit(transaction, {
      actor,
      action: "single sign-on changed",
      subject,
      at: now(),
      ...withoutUndefined(changes),
    });
  });
}

const withoutUndefined = <T extends object>({ before, after }: { before: T | undefined; after: T }) => ({
  ...(before && { before: { ...before } }),
  after: { ...after },
});

/** Undefined if there is none that a SEAL_SECRET decrypts. */
function storedSecret(services: Services, row: Row | undefined): string | undefined {
  if (!row?.client_secret) return undefined;
  try {
    return decryptSecret(services, clientSecretPurpose(row), row.client_secret);
  } catch (error) {
    if (error instanceof SecretLocked) return undefined;
    throw error;
  }
}

type Tested = { company_id: number; address: string; secret: string; input: Given };

async function requireAnswer(services: Services, { company_id, address, secret, input }: Tested) {
  const configuration: Configuration = {
    configuredBy: company_id,
    companyId: company_id,
    issuer: input.issuer,
    clientId: input.client_id,
    clientSecret: secret,
    groupsClaim: input.groups_claim,
    address,
  };
  try {
    await readingAnswers(() => requireIssuer(services, configuration));
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused) throw error;
    services.log.warn({ issuer: input.issuer, reason: refused.reason }, "identity provider not accepted");
    // The same for each reason: the reply must not reveal what else is at a typed address.
    throw invalid({
      issuer: "No identity provider answers at this address: check it, up to its last character, and that it is public",
    });
  }
}

/** Passwords go off only if single sign-on has let this administrator in, who would be locked out otherwise. */
async function requireTried(db: Db, { company_id, session }: Caller, issuer: string) {
  const tried = await identitySession(db, session);
  if (tried?.configured_by === company_id && tried.issuer === issuer) return;
  throw invalid({
    passwords_off: "Save without this first, and sign in by the sign-in address once: then switch passwords off",
  });
}

const forgetIdentities = (db: Db, companyId: number) =>
  db.deleteFrom("identities").where("configured_by", "=", companyId).execute();

/** Removes the configuration, if there is one, and who its users were there. */
export async function removeConfiguration(services: Services, caller: Caller) {
  const { company_id } = caller;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await rowOf(transaction, company_id);
    if (!before) return;
    await transaction.deleteFrom("identity_providers").where("company_id", "=", company_id).execute();
    await forgetIdentities(transaction, company_id);
    const subject = await companySubject(transaction, company_id);
    const { issuer } = before;
    const changes = { before: { issuer }, after: { issuer: "" } };
    await audit(transaction, { actor, action: "single sign-on removed", subject, at: services.now(), ...changes });
  });
}
