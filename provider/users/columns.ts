import type { z } from "zod";
import { fold } from "#lib/text.ts";
import { type Actor, mayAssignBranch, mayAssignGroup } from "../access.ts";
import type { createUser } from "../contract/users.ts";
import { groupNamed } from "../access-groups/access-group-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { throwIfErrors } from "../http/errors.ts";
import { nameColumns } from "../sessions/signup.ts";

type Fields = z.output<typeof createUser.body>;
type Current = { branch: string | null; branch_id: number | null; staff: string; access_group_id: number };

/** A user's columns from their form. Names of branch and group that stay as in `current` are not checked again. */
export async function userColumns(
  db: Db,
  actor: Actor,
  fields: Fields,
  { current, right }: { current?: Current | undefined; right: "write" | "create" },
) {
  const branch = await branchColumn(db, actor, fields, { current, right });
  const group = await groupColumn(db, actor, fields, current);
  throwIfErrors({ branch: branch.error, staff: group.error });
  const { name, email, phone, role, country, city, index, info } = fields;
  const details = { phone, role, country, city, index, info };
  return { ...nameColumns(name, email), ...details, branch_id: branch.id, access_group_id: group.id };
}

async function branchColumn(
  db: Db,
  actor: Actor,
  { branch }: Fields,
  { current, right }: { current?: Current | undefined; right: "write" | "create" },
) {
  const error = "Choose a branch whose users you may change";
  let id = current?.branch_id ?? null;
  if (fold(branch) !== fold(current?.branch ?? "")) {
    const branches = db.selectFrom("branches").where("company_id", "=", actor.company_id).where("active", "=", TRUE);
    const named = await branches.where("name_key", "=", fold(branch)).select("id").executeTakeFirst();
    if (branch && !named) return { id: null, error };
    id = named?.id ?? null;
  }
  const isMoved = !current || id !== current.branch_id;
  return isMoved && !mayAssignBranch(actor, id, right) ? { id, error } : { id };
}

async function groupColumn(db: Db, actor: Actor, { staff }: Fields, current: Current | undefined) {
  if (current && fold(staff) === fold(current.staff)) return { id: current.access_group_id };
  const group = await groupNamed(db, actor.company_id, staff);
  if (!group) return { id: 0, error: "Choose an access group of your company" };
  const error = "Choose an access group that may not do more than you";
  return mayAssignGroup(actor, group) ? { id: group.id } : { id: group.id, error };
}
