import { scopeOf, type Actor, isAdministrator } from "../access.ts";
import type { Services } from "../services.ts";
import { operatorsCompany } from "../single-sign-on/configuration.ts";

/** A company's directory, which adds, changes and removes its users and access groups by SCIM. */

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
