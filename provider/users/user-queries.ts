import type { Complete } from "../contract/call.ts";
import type { User } from "../contract/users.ts";
import { imageUrl } from "../files/images.ts";
import type { Values } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";

/** Users with the names of their branch and access group. */
export const userRows = (db: Db) =>
  db
    .selectFrom("users")
    .leftJoin("branches", "branches.id", "users.branch_id")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .select(["users.id", "users.name", "users.email", "users.phone", "users.role", "users.country", "users.city"])
    .select(["users.index", "users.info", "users.active", "users.version", "users.branch_id", "users.image_key"])
    .select(["users.access_group_id", "branches.name as branch", "access_groups.name as staff"])
    .select((eb) =>
      eb.case().when("users.password_hash", "is", null).then(eb.ref("users.invited_at")).end().as("invited_at"),
    );

type UserRow = Awaited<ReturnType<ReturnType<typeof userRows>["execute"]>>[number];

/** A row of `userRows` in the contract's form. */
export const asUser = ({ access_group_id, branch, active, image_key, ...row }: UserRow) =>
  ({
    ...row,
    branch: branch ?? "",
    staff_id: access_group_id,
    active: active === 1,
    imageUrl: imageUrl(`/users/${row.id}`, image_key),
  }) satisfies Complete<typeof User>;

/** A user's fields for the audit trail. */
export async function auditedUser(db: Db, id: number): Promise<Values> {
  const { name, email, phone, role, country, city, index, branch, staff, info, active } = await userReply(db, id);
  return { name, email, phone, role, country, city, index, branch, staff, info, active };
}

/** One user in the contract's form. */
export const userReply = async (db: Db, id: number) =>
  asUser(await userRows(db).where("users.id", "=", id).executeTakeFirstOrThrow());
