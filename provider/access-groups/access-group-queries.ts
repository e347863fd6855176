import { fold } from "#lib/text.ts";
import { TRUE } from "../db/flags.ts";
import { type Actor, isAdministratorGroup } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import type { AccessGroup } from "../contract/access-groups.ts";
import type { Db } from "../db/tables.ts";
import { isAmong } from "../db/lists.ts";

/** A company's access groups that were not removed. */
export const groupsOf = (db: Db, companyId: number) =>
  db
    .selectFrom("access_groups")
    .where("access_groups.company_id", "=", companyId)
    .where("access_groups.active", "=", TRUE);

/** A company's group by its name, in any case. */
export const groupNamed = (db: Db, companyId: number, name: string) =>
  groupsOf(db, companyId).where("name_key", "=", fold(name)).selectAll().executeTakeFirst();

/** The groups of the actor's company, each with its number of members. */
export const groupRows = (db: Db, { company_id }: Actor) =>
  groupsOf(db, company_id)
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("users")
        .whereRef("users.access_group_id", "=", "access_groups.id")
        .where("users.company_id", "=", company_id)
        .where("users.active", "=", TRUE)
        .select((count) => count.fn.countAll<number>().as("members"))
        .as("members"),
    );

type AccessGroupRow = Awaited<ReturnType<ReturnType<typeof groupRows>["execute"]>>[number];

/** A row of `groupRows` in the contract's form. */
export const asGroup = ({
  company_id: _,
  name_key: __,
  active: ___,
  external_id: ____,
  members,
  requires_second_factor,
  ...group
}: AccessGroupRow) =>
  ({ ...group, members: members ?? 0, requires_second_factor: requires_second_factor === 1 }) satisfies Complete<
    typeof AccessGroup
  >;

/** Whether a company has an administrator who can sign in. Call it after a change, in the same transaction. */
export async function hasAdministrator(db: Db, companyId: number): Promise<boolean> {
  const groups = await groupsOf(db, companyId).selectAll().execute();
  const ids = groups.filter(isAdministratorGroup).map(({ id }) => id);
  if (ids.length === 0) return false;
  const administrator = await db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .where("active", "=", TRUE)
    .where(isAmong(db, "access_group_id", ids))
    // An invited user without a password cannot sign in.
    .where("password_hash", "is not", null)
    .select("id")
    .limit(1)
    .executeTakeFirst();
  return administrator !== undefined;
}
