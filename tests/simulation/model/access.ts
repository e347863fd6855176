import type { Area } from "#provider/contract/permissions.ts";
import type { Observation, Person } from "../observation.ts";
import { isScim } from "../scim.ts";
import type { Fact, Noun, Span, World } from "./world.ts";

/** Who may see and do what, from docs/open-points.md ("Permissions", "Access group of a document") and the contract. */

/** A user with the rights that they had at a moment of a call. */
export type Rights = { user: Fact; permission(area: Area): string; isAdministrator: boolean };

/** A caller at a moment: with rights, signed out, or unknown to the model. */
export type Caller = Rights | "out" | "unknown";

export type Scope = "C" | "B" | "P";

/** The scope of a right in a permission such as C:R/W; undefined if it isn't granted. */
export function scopeOf(permission: string, right: string): Scope | undefined {
  const [scope, letters = ""] = permission.split(":");
  const letter = right === "release" ? "L" : right[0]!.toUpperCase();
  const has = right === "read" ? letters !== "" : letters.split("/").includes(letter);
  return has ? (scope as Scope) : undefined;
}

/** The name by which an API key acts. */
export const keyOf = ({ company, name }: Person) => `${company} ${name}`;

/** Everything that a caller may have been during a call; its own effects don't count. */
export function callersOf(world: World, by: Person, span: Span, except?: Observation): Caller[] {
  if (!by.company) return ["out"];
  const keys = world.during("key", keyOf(by), span, except);
  if (keys.length > 0) return keys.flatMap((key) => keyCallers(key));
  const id = world.userOf(by);
  return id === undefined ? ["unknown"] : world.during("user", id, span, except).flatMap((user) => rightsOf(user));

  function keyCallers(key: Fact | undefined): Caller[] {
    if (!key) return ["out"];
    const users = world.during("user", key.user, span, except);
    return users
      .flatMap((user) => rightsOf(user))
      .map((caller) => (typeof caller === "string" || isDirectory(key) ? caller : within(caller, key)));
  }

  function isDirectory({ scope }: Fact) {
    return scope === "scim" && except !== undefined && isScim(except.call);
  }

  function rightsOf(user: Fact | undefined): Caller[] {
    if (!user || user.active === false) return ["out"];
    const groups = world.during("group", user.staff_id, span, except);
    if (groups.length === 0) return ["unknown"];
    return groups.map((group) => {
      if (!group) return "unknown";
      const permission = (area: Area) => String(group[area] ?? "");
      return { user, permission, isAdministrator: scopeOf(permission("roles"), "write") !== undefined };
    });
  }
}

/** A key acts within its user's rights, its scope and its areas (docs/api.md). */
function within({ user, permission, isAdministrator }: Rights, key: Fact): Rights {
  const narrowed = (area: Area) => {
    const [scope, letters] = key.areas.includes(area) ? permission(area).split(":") : [];
    return letters ? `${scope}:${key.scope === "read" ? "R" : letters}` : "";
  };
  const isStill = isAdministrator && scopeOf(narrowed("roles"), "write") !== undefined;
  return { user, permission: narrowed, isAdministrator: isStill };
}

const areaOf: Partial<Record<Noun, Area>> = {
  user: "users",
  group: "roles",
  branch: "branches",
  document: "docs",
  alert: "alerts",
};

/** Whether a user sees a record; undefined where the papers leave it open. */
export function sees(
  world: World,
  { user, permission, isAdministrator }: Rights,
  noun: Noun,
  record: Fact,
): boolean | undefined {
  if (record.company !== user.company) return false;
  // Of one's own drafts, and of what one may release.
  if (noun === "release" || noun === "rule") return undefined;
  const scope = scopeOf(permission(areaOf[noun]!), "read");
  const isSelf = noun === "user" && record.id === user.id;
  if (!scope) return isSelf ? undefined : false;
  if (noun === "group") return true;
  if (noun === "alert") return seesAlert();
  if (noun === "document") return inScope(record, record.user) && inGroup();
  if (noun === "user" && record.active === false) return inScope(record, record.id) ? undefined : false;
  if (noun === "user") return inScope(record, record.id);
  if (scope === "P") return record.id === user.branch_id || record.manager_id === user.id ? undefined : false;
  return scope === "C" || record.id === user.branch_id;

  function inScope({ branch_id }: Fact, owner: unknown): boolean | undefined {
    if (scope === "C" || owner === user.id) return true;
    if (scope === "P") return owner === undefined ? undefined : false;
    if (branch_id === undefined || (branch_id ?? user.branch_id) === null) return undefined;
    return branch_id === user.branch_id;
  }

  function inGroup(): boolean | undefined {
    const { users_access_group_id: group, user: owner } = record;
    if (group === undefined || owner === undefined) return undefined;
    return group === null || group === user.staff_id || owner === user.id || isAdministrator;
  }

  /** Whether a document's group hides its alerts is open. */
  function seesAlert(): boolean | undefined {
    const documents = world.during("document", record.document_id ?? "", { began: 0, ended: Infinity });
    const isBeyond = documents.every((document) => document && inScope(document, document.user) === false);
    return documents.length > 0 && isBeyond ? false : undefined;
  }
}
