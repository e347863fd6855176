import { TRUE } from "../db/flags.ts";
import type { Complete } from "../contract/call.ts";
import type { Branch } from "../contract/branches.ts";
import { imageUrl } from "../files/images.ts";
import type { Db } from "../db/tables.ts";

/** Branches with their managers; a removed user is no manager. */
export const branchRows = (db: Db) =>
  db
    .selectFrom("branches")
    .leftJoin("users as managers", (join) =>
      join.onRef("managers.id", "=", "branches.manager_id").on("managers.active", "=", TRUE),
    )
    .select(["branches.id", "branches.name", "branches.email", "branches.phone", "branches.country"])
    .select(["branches.city", "branches.index", "branches.address", "branches.version", "branches.image_key"])
    .select(["managers.id as manager_id", "managers.name as manager"]);

type BranchRow = Awaited<ReturnType<ReturnType<typeof branchRows>["execute"]>>[number];

/** A row of `branchRows` in the contract's form. */
export const asBranch = ({ image_key, ...row }: BranchRow) =>
  ({ ...row, manager: row.manager ?? "", imageUrl: imageUrl(`/branches/${row.id}`, image_key) }) satisfies Complete<
    typeof Branch
  >;

/** One branch in the contract's form. */
export const branchReply = async (db: Db, id: number) =>
  asBranch(await branchRows(db).where("branches.id", "=", id).executeTakeFirstOrThrow());
