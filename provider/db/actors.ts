import type { Kysely } from "kysely";
import { TRUE } from "./flags.ts";
import type { Actor } from "../access.ts";
import { areas, type Permissions } from "../contract/permissions.ts";
import type { Tables } from "./tables.ts";

/** Active users of active companies, with the permissions of their access group. */
export const actorRows = (db: Kysely<Tables>) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .where("users.active", "=", TRUE)
    .where("companies.active", "=", TRUE)
    .select(["users.id", "users.company_id", "users.branch_id", "users.access_group_id", "users.name", "users.email"])
    .select("companies.timezone")
    .select(areas.map((area) => `access_groups.${area}` as const));

type ActorRow = Awaited<ReturnType<ReturnType<typeof actorRows>["execute"]>>[number];

export function asActor(row: ActorRow): Actor {
  const { id, company_id, branch_id, access_group_id, name, email, timezone } = row;
  const permissions = Object.fromEntries(areas.map((area) => [area, row[area]])) as Permissions;
  return { id, company_id, branch_id, access_group_id, name, email, timezone, permissions };
}

/** An active user with their rights of now. */
export async function activeActor(db: Kysely<Tables>, id: number): Promise<Actor | undefined> {
  const row = await actorRows(db).where("users.id", "=", id).executeTakeFirst();
  return row && asActor(row);
}
