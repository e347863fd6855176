import type { Db } from "../db/tables.ts";
import { decryptSecret } from "../secrets.ts";
import type { Services } from "../services.ts";

/** Identity providers: the operator's, by the environment, and the companies' own. */

export type Configuration = {
  /** 0 for the operator's; else the id of the company. Its identities count for it alone. */
  configuredBy: number;
  /** The company whose users alone sign in by it; undefined for the operator's, by which those of all do. */
  companyId: number | undefined;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Empty for none. */
  groupsClaim: string;
  /** The end of the company's sign-in address; empty for the operator's. */
  address: string;
};

/** The purpose that a company's client secret is encrypted for (`encryptSecret`). */
export const clientSecretPurpose = ({ company_id }: { company_id: number }) => `client secret of company ${company_id}`;

const providerRows = (db: Db) => db.selectFrom("identity_providers");

type Needed = Pick<Services, "db" | "seals" | "singleSignOn">;

/** The configuration of a company's sign-in address, or the operator's for an empty one. Throws `SecretLocked`. */
export async function findConfiguration(services: Needed, address: string): Promise<Configuration | undefined> {
  if (!address) return operatorsConfiguration(services);
  const row = await providerRows(services.db).where("address", "=", address).selectAll().executeTakeFirst();
  if (!row) return undefined;
  const { company_id, issuer, client_id, client_secret, groups_claim } = row;
  return {
    configuredBy: company_id,
    companyId: company_id,
    issuer,
    clientId: client_id,
    clientSecret: client_secret === null ? undefined : decryptSecret(services, clientSecretPurpose(row), client_secret),
    groupsClaim: groups_claim,
    address,
  };
}

function operatorsConfiguration({ singleSignOn }: Needed): Configuration | undefined {
  const { operator } = singleSignOn ?? {};
  return operator && { ...operator, configuredBy: 0, companyId: undefined, address: "" };
}

/** The issuer's host at a sign-in address and whose address it is, as pages name them; null for none. */
export async function identityProviderAt({ db, singleSignOn }: Needed, address: string) {
  const ofCompanies = providerRows(db).innerJoin("companies", "companies.id", "company_id");
  const own = address
    ? await ofCompanies
        .where("identity_providers.address", "=", address)
        .select(["issuer", "companies.name"])
        .executeTakeFirst()
    : undefined;
  const issuer = address ? own?.issuer : singleSignOn?.operator?.issuer;
  return { identity_provider: issuer === undefined ? null : new URL(issuer).host, company: own?.name ?? null };
}

/** The sign-in address of a company's users if their passwords are off; undefined if these are on. */
export async function soleSignInAddress(
  { db, publicUrl, singleSignOn }: Pick<Services, "db" | "publicUrl" | "singleSignOn">,
  companyId: number,
): Promise<string | undefined> {
  const own = await providerRows(db)
    .where("company_id", "=", companyId)
    .select(["address", "passwords_off"])
    .executeTakeFirst();
  if (own?.passwords_off === 1) return signInAddress(publicUrl, own.address);
  return singleSignOn?.passwordsOff ? `${publicUrl}/login` : undefined;
}

/** The company where the operator's identity provider makes accounts: the set one or the only one; undefined for none. */
export async function operatorsCompany({ db, singleSignOn }: Pick<Services, "db" | "singleSignOn">) {
  if (singleSignOn?.companyId !== undefined) return singleSignOn.companyId;
  const companies = await db.selectFrom("companies").select("id").limit(2).execute();
  return companies.length === 1 ? companies[0]!.id : undefined;
}

/** The address at which a company's users begin single sign-on. */
export const signInAddress = (publicUrl: string, address: string) => `${publicUrl}/login/at/${address}`;

/** The redirect address of an identity provider: one for each, so that none is mistaken for another. */
export const returnAddress = (publicUrl: string, { address }: Pick<Configuration, "address">) =>
  `${publicUrl}/login/sso/return${address && `/${address}`}`;
