import type { Actor } from "../access.ts";
import type { Services } from "../services.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";
import { noPassword } from "./passwords.ts";

/** Whether a user has a password that signs in. */
export async function hasPassword(services: Services, { id, company_id }: Pick<Actor, "id" | "company_id">) {
  const users = services.db.selectFrom("users").where("id", "=", id).select("password_hash");
  const { password_hash } = await users.executeTakeFirstOrThrow();
  return password_hash !== noPassword && !(await soleSignInAddress(services, company_id));
}
