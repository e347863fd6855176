import type { Kysely } from "kysely";
import type { z } from "zod";
import { fold } from "#storage/database.ts";
import { type Actor, isAdministratorGroup } from "../access.ts";
import type { AccessGroup } from "../contract/access-groups.ts";
import type { Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/** A company's active access groups. */
export const groupsOf = (db: Db, companyId: number) =>
  db
    .selectFrom("access_groups")
    .where("access_groups.company_id", "=", companyId)
    .where("access_groups.active", "=", 1);

/** The group with a name, ignoring case and accents. */
export const groupNamed = (db: Db, companyId: number, name: string) =>
  groupsOf(db, companyId).where("name_key", "=", fold(name)).selectAll().executeTakeFirst();

/** The groups of the actor's company with the count of their members. */
export const groupRows = (db: Db, { company_id }: Actor) =>
  groupsOf(db, company_id)
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("users")
        .whereRef("users.access_group_id", "=", "access_groups.id")
        .where("users.company_id", "=", company_id)
        .where("users.active", "=", 1)
        .select((count) => count.fn.countAll<number>().as("members"))
        .as("members"),
    );

type Row = Awaited<ReturnType<ReturnType<typeof groupRows>["execute"]>>[number];

/** A row of `groupRows` for a reply. */
export const asGroup = ({ company_id: _, name_key: __, active: ___, members, ...group }: Row) =>
  ({ ...group, members: members ?? 0 }) satisfies z.input<typeof AccessGroup>;

/** Whether a company has an administrator. Called after a change, in its transaction. */
export async function hasAdministrator(db: Db, companyId: number): Promise<boolean> {
  const groups = await groupsOf(db, companyId).selectAll().execute();
  const ids = groups.filter(isAdministratorGroup).map(({ id }) => id);
  if (ids.length === 0) return false;
  const administrator = await db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .where("active", "=", 1)
    .where("access_group_id", "in", ids)
    // Invited users can't sign in yet.
    .where("password_hash", "is not", null)
    .select("id")
    .limit(1)
    .executeTakeFirst();
  return administrator !== undefined;
}
