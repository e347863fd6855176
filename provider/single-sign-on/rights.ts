import { hasAdministrator } from "../access-groups/access-group-queries.ts";
import { audit, deactivated } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { forgetBrowsers } from "../sessions/browsers.ts";
import { revokeTokens } from "../sessions/tokens.ts";
import { rethrowEmailTaken } from "../users/profile/email-taken.ts";
import type { Person } from "./claims.ts";
import { groupForClaim } from "./groups.ts";
import { SignInRefused, words } from "./refusals.ts";

/** Rights that come from a claim, and go with it at the next sign-in. */

/** The actor of audit entries about what a claim changed. */
export const singleSignOn = { id: 0, name: "Single sign-on" };

/** A user with their identity: `claimed` is the access group that the claim gave last. */
export type Account = {
  identity: number;
  claimed: number | null;
  left_at: string | null;
  id: number;
  name: string;
  company_id: number;
  active: number;
  access_group_id: number;
  version: number;
};

/** The claim would leave the company without an administrator. */
export class LastAdministrator extends SignInRefused {
  readonly userId: number;

  constructor(userId: number) {
    super(words.lastAdministrator, "the claim of the company's last administrator has gone");
    this.userId = userId;
  }
}

/** Gives a user the rights of their claim. Returns the refusal of a user who has none, which is to last; throws others. */
export async function followClaim(services: Services, db: Db, account: Account, { groups }: Person) {
  const { id, company_id, active, left_at, claimed } = account;
  if (active === 0 && left_at === null) throw new SignInRefused(words.removed, "the user was removed");
  const group = groups && (await groupForClaim(db, company_id, groups));
  if (group) {
    await setGroup(services, db, account, group.id);
  } else if (active === 1 && left_at !== null) {
    // An administrator reactivated them by hand, and is responsible for their rights from now on.
    await setClaim(db, account, null);
  } else if (active === 0) {
    return new SignInRefused(words.lost, "the claim that gave the access group has not come back");
  } else if (groups && claimed !== null) {
    await remove(services, db, account);
    if (!(await hasAdministrator(db, company_id))) throw new LastAdministrator(id);
    return new SignInRefused(words.lost, "the claim that gave the access group has gone");
  }
  return undefined;
}

/** Moves a user into an access group, and reactivates a user whom the claim's end had removed. */
async function setGroup({ now }: Services, db: Db, account: Account, group: number) {
  const { id, name, company_id, active, access_group_id, version } = account;
  await setClaim(db, account, group);
  if (active === 1 && access_group_id === group) return;
  const subject = { entity: "user", id, name } as const;
  const actor = { ...singleSignOn, company_id };
  const staff = { before: await groupName(db, access_group_id), after: await groupName(db, group) };
  const change = { access_group_id: group, active: 1, version: version + 1 };
  await db.updateTable("users").set(change).where("id", "=", id).execute().catch(rethrowEmailTaken);
  if (!(await hasAdministrator(db, company_id))) throw new LastAdministrator(id);
  if (active === 0) {
    const [before, after] = [{ active: false }, { active: true }];
    await audit(db, { actor, action: "reactivated", subject, at: now(), before, after });
    await revokeTokens(db, id);
  }
  const changed = { before: { staff: staff.before }, after: { staff: staff.after } };
  await audit(db, { actor, action: "changed", subject, at: now(), ...changed });
}

const setClaim = (db: Db, { identity }: Account, access_group_id: number | null) =>
  db.updateTable("identities").set({ access_group_id, left_at: null }).where("id", "=", identity).execute();

const groupName = async (db: Db, id: number) =>
  (await db.selectFrom("access_groups").where("id", "=", id).select("name").executeTakeFirstOrThrow()).name;

/** Deactivates a user as an administrator would, until the claim comes back. */
async function remove({ now }: Services, db: Db, { id, name, company_id, version, identity }: Account) {
  await db
    .updateTable("users")
    .set({ active: 0, email_proved: 0, version: version + 1 })
    .where("id", "=", id)
    .execute();
  await db.updateTable("identities").set({ left_at: now().toISOString() }).where("id", "=", identity).execute();
  await revokeTokens(db, id);
  await forgetBrowsers(db, id);
  const actor = { ...singleSignOn, company_id };
  await audit(db, { actor, action: "removed", subject: { entity: "user", id, name }, at: now(), ...deactivated });
}
