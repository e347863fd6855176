import { hash } from "node:crypto";
import type { Actor, Caller } from "../access.ts";
import { groupsOf } from "../access-groups/access-group-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import type { ListQuery } from "./filter.ts";
import type { Operation, Resource } from "./protocol.ts";

/** A request of a company's directory: the administrator who made its SCIM token, and the token as the author of changes. */
export type Directory = {
  services: Services;
  db: Db;
  actor: Actor;
  caller: Caller;
  base: string;
  /** Throws 412 for a resource that was changed since the client read it; undefined if the client does not ask. */
  requireVersion?: ((resource: Resource) => void) | undefined;
};

/** Users or access groups as SCIM reads and changes them. */
export type Kind = {
  name: "User" | "Group";
  list(directory: Directory, query: ListQuery): Promise<{ resources: Resource[]; total: number }>;
  /** Throws 404. */
  find(directory: Directory, id: number): Promise<Resource>;
  /** Returns the new resource's id. */
  create(directory: Directory, operation: Operation): Promise<number>;
  change(directory: Directory, id: number, operations: Operation[]): Promise<void>;
  remove(directory: Directory, id: number): Promise<void>;
};

/** The users of a company that SCIM shows: active users, and inactive users that its directory has named. */
export const visibleUsers = (db: Db, companyId: number) =>
  db
    .selectFrom("users")
    .where("users.company_id", "=", companyId)
    .where("users.erased_at", "is", null)
    .where((eb) => eb.or([eb("users.active", "=", TRUE), eb("users.user_name", "<>", "")]));

/** The access group of users whom the directory puts into none, as its token says. Throws 409 if it was removed. */
export async function groupOfNewUsers({ db, actor }: Directory): Promise<{ id: number; name: string }> {
  const token = actor.key?.id ?? 0;
  const group = await groupsOf(db, actor.company_id)
    .innerJoin("api_keys", "api_keys.access_group_id", "access_groups.id")
    .where("api_keys.id", "=", token)
    .select(["access_groups.id", "access_groups.name"])
    .executeTakeFirst();
  if (!group) throw conflict("The access group of new users was removed: make another SCIM token, with another group");
  return group;
}

/** A resource with its type, address and version, which is that of its content. */
export function withMeta(base: string, name: Kind["name"], resource: Resource, created?: string): Resource {
  const version = `W/"${hash("sha256", JSON.stringify(resource), "base64url").slice(0, 22)}"`;
  const location = `${base}/${name}s/${String(resource["id"])}`;
  return { ...resource, meta: { resourceType: name, ...(created && { created }), location, version } };
}
