import { companySigner } from "../seal/keys/signer.ts";
import { firstKeys } from "../seal/status-lists.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { type WalletField, walletListEnd } from "../contract/wallet-fields.ts";

/** Companies as issuers of credentials. Their addresses name no company: each ends with the thumbprint of its first key. */

export const issuerUrl = (publicUrl: string, issuer: string) => `${publicUrl}/wallet/${issuer}`;

/** The type of a company's credentials (`vct`). */
export const typeUrl = (publicUrl: string, issuer: string) => `${issuerUrl(publicUrl, issuer)}/document`;

export const walletListUrl = (publicUrl: string, issuer: string) =>
  `${publicUrl}/.well-known/status-lists/${issuer}${walletListEnd}`;

/** The issuer whose list of credentials an address ends with; undefined for a list of codes. */
export const issuerOfList = (list: string) =>
  list.endsWith(walletListEnd) ? list.slice(0, -walletListEnd.length) : undefined;

/** The active companies that have, or had, wallets turned on. */
const issuers = (db: Db) =>
  db
    .selectFrom("wallet_lists")
    .innerJoin("companies", "companies.id", "wallet_lists.company_id")
    .where("companies.active", "=", TRUE)
    .select(["companies.id", "companies.name", "companies.timezone", "wallet", "wallet_fields"])
    .select(["wallet_lists.list as issuer", "wallet_lists.token as status_list", "made_at", "changes"]);

export type Issuer = Awaited<ReturnType<ReturnType<typeof issuers>["execute"]>>[number];

/** Undefined for an address that is none of an issuer's. */
export const issuerAt = (db: Db, issuer: string): Promise<Issuer | undefined> =>
  issuers(db).where("wallet_lists.list", "=", issuer).executeTakeFirst();

/** The company as an issuer; undefined while it has wallets turned off. */
export const activeIssuer = (db: Db, companyId: number): Promise<Issuer | undefined> =>
  issuers(db).where("companies.id", "=", companyId).where("wallet", "=", TRUE).executeTakeFirst();

export const fieldsOf = ({ wallet_fields }: Pick<Issuer, "wallet_fields">) =>
  wallet_fields.split(",").filter(Boolean) as WalletField[];

/** The end of a company's address as an issuer, whose key is made if it has none. Throws `SealKeysLocked`. */
export async function issuerOf(services: Services, companyId: number): Promise<string> {
  await companySigner(services, companyId);
  const first = firstKeys(services.db).where("first.company_id", "=", companyId);
  return (await first.select("first.thumbprint").executeTakeFirstOrThrow()).thumbprint;
}

/** The `kid` of the key that a company signs with, and how it signs. Throws `SealKeysLocked`. */
export async function keyOf(services: Services, companyId: number) {
  const { shortId, signCode } = await companySigner(services, companyId);
  const key = services.db.selectFrom("seal_keys").where("short_id", "=", shortId).select("thumbprint");
  return { kid: (await key.executeTakeFirstOrThrow()).thumbprint, sign: signCode };
}
