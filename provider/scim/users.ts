import { sql, type SqlBool } from "kysely";
import { z } from "zod";
import { fold, foldEmail } from "#lib/text.ts";
import { createUser, updateUser } from "../contract/users.ts";
import { requiredText, text } from "../contract/fields.ts";
import { TRUE } from "../db/flags.ts";
import { notFound } from "../http/errors.ts";
import { addUser, changeUser, type DirectoryColumns, removeUser } from "../users/change-user.ts";
import { hasJoined } from "../users/find.ts";
import { userLimits } from "../users/limits.ts";
import { isSameEmail } from "../users/profile/email-change.ts";
import { type DirectoryUser, nested, unsetUser, userAttributes } from "./attributes.ts";
import { hasSingleSignOn } from "./directory.ts";
import { type Column, type Columns, readPart } from "./filter.ts";
import { checked, type Resource, ScimError, urns } from "./protocol.ts";
import { type Directory, groupOfNewUsers, type Kind, visibleUsers, withMeta } from "./service.ts";
import { applyToUser } from "./set-attributes.ts";

const userName = sql<string>`(case when users.user_name = '' then users.email else users.user_name end)`;
const userNameKey = sql<string>`(case when users.user_name = '' then users.email_key else users.user_name_key end)`;

/** In forms for which both databases have indexes. */
const hasUserName = (key: string) =>
  sql<SqlBool>`((users.user_name_key = ${key} and users.user_name_key <> '') or (users.active = 1 and users.user_name = '' and users.email_key = ${key}))`;
const hasExternalId = (id: string) => sql<SqlBool>`(users.external_id = ${id} and users.external_id <> '')`;

const comparedBy: Record<string, Column> = {
  user_name: { ref: userNameKey, as: "email", equals: hasUserName },
  external_id: { ref: "users.external_id", as: "exact", equals: hasExternalId },
  name: { ref: "users.name_key", as: "text" },
  formatted: { ref: "users.name_key", as: "text" },
  active: { ref: "users.active", as: "flag" },
  email: { ref: "users.email_key", as: "email" },
};

const columns: Columns = {
  id: { ref: "users.id", as: "id" },
  "groups.value": { ref: "users.access_group_id", as: "id" },
  ...Object.fromEntries(["emails", "phonenumbers", "addresses"].map((list) => [`${list}.type`, "work"])),
  ...Object.fromEntries(
    userAttributes.map(([path, field]) => [
      path.toLowerCase().replace("enterprise.", ""),
      comparedBy[field] ?? { ref: sql<string>`fold(${sql.ref(`users.${field}`)})`, as: "text" as const },
    ]),
  ),
};

const userRows = ({ db, actor }: Directory) =>
  visibleUsers(db, actor.company_id)
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .leftJoin("branches", "branches.id", "users.branch_id")
    .select(["users.id", "users.name", "users.email", "users.phone", "users.role", "users.country", "users.city"])
    .select(["users.index", "users.info", "users.active", "users.version", "users.created_at", "users.access_group_id"])
    .select(["users.external_id", "users.given_name", "users.family_name", "users.department"])
    .select([userName.as("user_name"), "access_groups.name as group", "access_groups.active as group_active"])
    .select(["branches.name as branch", "branches.active as branch_active"]);

type UserRow = Awaited<ReturnType<ReturnType<typeof userRows>["execute"]>>[number];

const asDirectoryUser = ({ id: _, version: __, ...row }: UserRow): DirectoryUser => ({
  ...unsetUser,
  ...Object.fromEntries(userAttributes.flatMap(([, field]) => (field in row ? [[field, row[field as "name"]]] : []))),
  active: row.active === 1,
});

function asResource(row: UserRow, base: string): Resource {
  const group = {
    value: String(row.access_group_id),
    $ref: `${base}/Groups/${row.access_group_id}`,
    display: row.group,
  };
  const user = {
    schemas: row.department ? [urns.user, urns.enterprise] : [urns.user],
    id: String(row.id),
    ...nested(asDirectoryUser(row)),
    groups: [group],
  };
  return withMeta(base, "User", user, row.created_at);
}

async function rowOf(directory: Directory, id: number): Promise<UserRow> {
  const row = await userRows(directory).where("users.id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

const directoryFields = z.object({
  user_name: requiredText("userName", 254),
  external_id: text("externalId", 254),
  given_name: text("givenName", 100),
  family_name: text("familyName", 100),
  department: text("department", 100),
});

/** What is stored beside the form. Throws `invalidValue`, or `uniqueness` if another user has the name. */
async function columnsOf(directory: Directory, user: DirectoryUser, id = 0): Promise<DirectoryColumns> {
  const { services, db, actor } = directory;
  const fields = checked(directoryFields, user);
  const user_name_key = foldEmail(fields.user_name);
  const namesakes = visibleUsers(db, actor.company_id).where(hasUserName(user_name_key));
  if (await namesakes.where("users.id", "<>", id).select("users.id").executeTakeFirst()) {
    throw new ScimError("uniqueness", `There is a user with the userName ${fields.user_name} already`);
  }
  const isInvited = user.active && !(await hasSingleSignOn(services, actor.company_id));
  return { ...fields, user_name_key, active: user.active ? 1 : 0, isInvited };
}

const fullName = ({ given_name, family_name }: DirectoryUser) => `${given_name} ${family_name}`.trim();

/** The name of the branch that a department is; undefined for another department. */
async function branchNamed({ db, actor }: Directory, department: string): Promise<string | undefined> {
  const branches = db.selectFrom("branches").where("company_id", "=", actor.company_id);
  const branch = branches.where("active", "=", TRUE).where("name_key", "=", fold(department));
  return (await branch.select("name").executeTakeFirst())?.name;
}

/** Active users, and users that the directory has deactivated. */
export const users: Kind = {
  name: "User",

  async list(directory, query) {
    const { rows, total } = await readPart(userRows(directory), query, { columns, last: "users.id" });
    return { resources: rows.map((row) => asResource(row, directory.base)), total };
  },

  async find(directory, id) {
    return asResource(await rowOf(directory, id), directory.base);
  },

  async create(directory, operation) {
    const { services, actor, caller } = directory;
    const user = { ...unsetUser };
    applyToUser(user, operation);
    const fields = await columnsOf(directory, user);
    const name = user.name || user.formatted || fullName(user) || user.user_name;
    const { name: staff } = await groupOfNewUsers(directory);
    const branch = (await branchNamed(directory, user.department)) ?? "";
    const form = checked(createUser.body, { ...user, name, email: user.email || user.user_name, branch, staff });
    const add = () => addUser(services, caller, { ...form, directory: fields }, {});
    return (await (fields.isInvited ? userLimits(services).inviting(actor, form.email, add) : add())).id;
  },

  async change(directory, id, operations) {
    const { services, actor, caller } = directory;
    const row = await rowOf(directory, id);
    directory.requireVersion?.(asResource(row, directory.base));
    const before = asDirectoryUser(row);
    const user = { ...before };
    for (const operation of operations) applyToUser(user, operation);
    if (JSON.stringify({ ...user, formatted: "" }) === JSON.stringify(before)) return;
    const fields = await columnsOf(directory, user, id);
    const isOfParts = user.name === before.name && before.name === fullName(before);
    const name = (isOfParts && fullName(user)) || user.name;
    // While a user was inactive, their branch and group may have been removed.
    const isReturning = user.active && !before.active;
    const staff = isReturning && row.group_active === 0 ? (await groupOfNewUsers(directory)).name : row.group;
    const present = isReturning && row.branch_active === 0 ? "" : (row.branch ?? "");
    const isMoved = user.department !== before.department;
    const branch = (isMoved && (await branchNamed(directory, user.department))) || present;
    const { info, version } = row;
    const form = checked(updateUser.body, { ...user, name, info, branch, staff, version });
    const input = { ...form, directory: fields };
    const change = () => changeUser(services, caller, id, { input, image: {} });
    const isJoining = isReturning && !(await hasJoined(directory.db, id));
    const isMailed = fields.isInvited && (isJoining || !isSameEmail(form.email, row.email));
    await (isMailed ? userLimits(services).inviting(actor, form.email, change) : change());
  },

  async remove(directory, id) {
    const { services, caller } = directory;
    const resource = await users.find(directory, id);
    directory.requireVersion?.(resource);
    await removeUser(services, caller, id);
  },
};
