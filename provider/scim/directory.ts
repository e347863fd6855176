import { scopeOf, type Actor, isAdministrator } from "../access.ts";
import type { Db } from "../db/tables.ts";
import { HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { operatorsCompany } from "../single-sign-on/configuration.ts";
import { activeUsers } from "../tariffs/bill.ts";

/** A company's directory, which adds, changes and removes its users and access groups by SCIM. */

/** What a directory says of a user beside the fields of their form. */
export type DirectoryColumns = {
  user_name: string;
  user_name_key: string;
  external_id: string;
  given_name: string;
  family_name: string;
  department: string;
  active: 0 | 1;
  /** Whether a user without a password is mailed an invitation at a new address. */
  isInvited: boolean;
};

/** Whether a user's rights are enough for a SCIM token: those of an administrator who may add and change all users. */
export const mayBeDirectory = (actor: Actor): boolean =>
  isAdministrator(actor) &&
  (["write", "create"] as const).every((right) => scopeOf(actor, "users", right) === "company");

/** Whether new users can sign in by single sign-on at once, so that they need no invitation. */
export async function hasSingleSignOn(services: Services, companyId: number): Promise<boolean> {
  const own = services.db.selectFrom("identity_providers").where("company_id", "=", companyId).select("company_id");
  if (await own.executeTakeFirst()) return true;
  return services.singleSignOn?.operator !== undefined && (await operatorsCompany(services)) === companyId;
}

/** Throws 403 if the company has as many active users as its tariff is for. */
export async function requireSeat(db: Db, companyId: number) {
  const { name, max_users } = await db
    .selectFrom("companies")
    .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
    .where("companies.id", "=", companyId)
    .select(["tariffs.name", "max_users"])
    .executeTakeFirstOrThrow();
  if (max_users === null || (await activeUsers(db, companyId)) < max_users) return;
  throw new HttpError(
    403,
    `The tariff ${name} is for ${max_users} users, and the company has as many: choose a larger one, or deactivate a user`,
  );
}
