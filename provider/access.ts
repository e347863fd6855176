import { type Expression, type ExpressionBuilder, sql, type SqlBool, type Transaction } from "kysely";
import type { Access, Call } from "./contract/call.ts";
import { type Area, areas, type Right, rights, type Scope, scopes, reach } from "./contract/areas.ts";
import type { Permissions } from "./contract/permissions.ts";
import { TRUE } from "./db/flags.ts";
import type { Tables } from "./db/tables.ts";

/** Authorization. Rights come from the access group; a role gives none. */

/** The signed-in user. */
export type Actor = {
  id: number;
  company_id: number;
  branch_id: number | null;
  access_group_id: number;
  name: string;
  email: string;
  timezone: string;
  permissions: Permissions;
  /** Of a session: when its user last proved to be present, at the latest by signing in. */
  provedAt?: string;
  /** Whether the access group requires a second factor, and the session was opened without one or the key's user has none. */
  lacksSecondFactor?: boolean;
  /** The API key that acts for the user; then `permissions` are within its scope. */
  key?: { id: number; name: string };
};

/** Work of a job in a user's name: the user signed in when it was ordered, and their rights are read again. */
type OwnWork = {
  user: number;
  /** Runs around the work, in its transaction. */
  around<T>(transaction: Transaction<Tables>, actor: Actor, work: () => Promise<T>): Promise<T>;
};

/**
 * The user of a writing call, without rights: these are read in the transaction (`http/caller-transaction.ts`).
 * `session` is the hash of their token or, with `keyUse`, of their API key; `access` and `steps` are what the call needs.
 */
export type Caller = Pick<Actor, "company_id"> & {
  session: string;
  access: Access;
  steps?: Pick<Call, "proof" | "withoutFactor">;
  keyUse?: "calls" | "scim" | undefined;
  job?: OwnWork;
};

/** The scope of the actor's right in an area; undefined without the right. */
export const scopeOf = (actor: Actor, area: Area, right: Right): Scope | undefined =>
  reach(actor.permissions[area], right);

/** Whether the actor may make a call at all. The filters below restrict its rows. */
export function mayCall(access: Access, actor: Actor | undefined): boolean {
  if (access === "public") return true;
  if (!actor) return false;
  return access === "signed-in" || scopeOf(actor, access.area, access.right) !== undefined;
}

/** Users who may change all access groups are administrators: they could grant themselves every right. */
export const isAdministratorGroup = ({ roles }: Pick<Permissions, "roles">) => reach(roles, "write") === "company";
export const isAdministrator = ({ permissions }: Pick<Actor, "permissions">) => isAdministratorGroup(permissions);

/** The areas in which a group's permissions exceed the actor's. */
export function areasBeyond(actor: Actor, permissions: Permissions): Area[] {
  if (isAdministrator(actor)) return [];
  return areas.filter((area) =>
    rights.some((right) => {
      const newScope = reach(permissions[area], right);
      const own = scopeOf(actor, area, right);
      return newScope && (!own || scopes.indexOf(own) > scopes.indexOf(newScope));
    }),
  );
}

/** Whether the actor may assign users to a group with these permissions. */
export const mayAssignGroup = (actor: Actor, permissions: Permissions) => areasBeyond(actor, permissions).length === 0;

/** A user that another one would act as. */
type TargetUser = {
  branch_id: number | null;
  access_group_id: number;
  permissions: Permissions;
  /** Whether documents are restricted to their group. */
  seesRestricted: boolean;
  /** Whether they own documents out of the actor's scope (`ownedOutOfScope`), or drafts. */
  ownsOutOfScope: boolean;
};

/** Whether the actor has all rights of a user, and so may set the user's password, email or group. */
export function mayImpersonate(actor: Actor, user: TargetUser): boolean {
  if (isAdministrator(actor)) return true;
  const { branch_id, access_group_id, permissions, seesRestricted, ownsOutOfScope } = user;
  if (ownsOutOfScope) return false;
  if (seesRestricted && access_group_id !== actor.access_group_id) return false;
  const isNear = branch_id !== null && branch_id === actor.branch_id;
  return areas.every((area) =>
    rights.every((right) => {
      const theirs = reach(permissions[area], right);
      const own = scopeOf(actor, area, right);
      return !theirs || own === "company" || (own === "branch" && theirs !== "company" && isNear);
    }),
  );
}

type Filter<Table extends keyof Tables> = (eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>;

/** The user of a rule: one user, or in SQL the user of each row. */
type Subject = Pick<Actor, "company_id" | "access_group_id" | "permissions"> & {
  id: number | Expression<number>;
  branch_id: number | null | Expression<number | null>;
};

/**
 * Documents in the scope of a right. One that names an access group is only for the group's members, its owner and
 * administrators.
 */
export function documentsWithin(actor: Subject, right: Right): Filter<"documents"> {
  return documentsInScope(actor, reach(actor.permissions.docs, right));
}

/** The areas whose rights concern documents. */
const documentAreas = ["docs", "alerts", "map"] as const satisfies Area[];

/** Documents in the scope of their owner's rights, but not of the actor's same rights. */
export function ownedOutOfScope(actor: Actor, owner: Pick<Actor, "id" | "permissions">): Filter<"documents"> {
  const scopes = documentAreas.flatMap((area) =>
    rights.filter((right) => reach(owner.permissions[area], right)).map((right) => scopeOf(actor, area, right)),
  );
  return (eb) => {
    // Conditions on a null branch are null.
    const isBeyond = (scope: Scope | undefined) => sql<SqlBool>`(${documentsInScope(actor, scope)(eb)}) is not true`;
    return eb.and([
      eb("documents.company_id", "=", actor.company_id),
      eb("documents.owner_id", "=", owner.id),
      eb.or([...new Set(scopes)].map(isBeyond)),
    ]);
  };
}

/** Whether all documents of the company are in the scope of a right, so that queries need no filter. */
export const seesAllDocuments = (actor: Actor, area: "docs" | "alerts" | "map" = "docs", right: Right = "read") =>
  scopeOf(actor, area, right) === "company" && isAdministrator(actor);

/** A key for caches: all about an actor that decides which documents they may read. */
export const reachKey = ({ id, branch_id, access_group_id, permissions }: Actor) =>
  JSON.stringify([id, branch_id, access_group_id, permissions]);

/** A branch's or an owner's documents, which lie together in an index; without those of the branch `notOfBranch`. */
export type Partition = { column: "branch_id" | "owner_id"; value: number | null; notOfBranch?: number };

/**
 * Partitions that hold all documents the actor may read, or read alerts about, each document in one; undefined if the
 * whole company is to be read. `documentsWithin` and `alertsWithin` decide about each document all the same.
 */
export function indexPartitions(actor: Actor): Partition[] | undefined {
  const scope = scopeOf(actor, "docs", "read");
  if (scope === "company") return undefined;
  const own: Partition = { column: "owner_id", value: actor.id };
  if (scope !== "branch" || actor.branch_id === null) return [own];
  return [
    { column: "branch_id", value: actor.branch_id },
    { ...own, notOfBranch: actor.branch_id },
  ];
}

/** Documents whose alerts are in the scope of a right. */
export function alertsWithin(actor: Actor, right: Right): Filter<"documents"> {
  return documentsInScope(actor, scopeOf(actor, "alerts", right));
}

/** Documents whose scans' exact places the actor may see; others are rounded to about a kilometre. */
export const exactPlacesWithin = (actor: Actor) => alertsWithin(actor, "write");

/** Documents whose scans the map shows to the actor. */
export function scansWithin(actor: Actor): Filter<"documents"> {
  return documentsInScope(actor, scopeOf(actor, "map", "read"));
}

function documentsInScope(actor: Subject, scope: Scope | undefined): Filter<"documents"> {
  return (eb) => {
    if (!scope) return eb.lit(false);
    const own = eb("documents.owner_id", "=", actor.id);
    const inCompany = eb("documents.company_id", "=", actor.company_id);
    if (scope === "personal") return eb.and([inCompany, own]);
    const conditions = [inCompany];
    if (scope === "branch") conditions.push(eb.or([eb("documents.branch_id", "=", actor.branch_id), own]));
    if (!isAdministrator(actor)) {
      const ownGroup = eb("documents.access_group_id", "=", actor.access_group_id);
      conditions.push(eb.or([eb("documents.access_group_id", "is", null), ownGroup, own]));
    }
    return eb.and(conditions);
  };
}

/** An access group whose members may read documents. */
export type ReaderGroup = Permissions & { id: number; company_id: number };

/** Whether a user may read a document, as a condition on rows of both. */
export const readersWithin =
  (groups: ReaderGroup[]): Filter<"documents" | "users"> =>
  (eb) =>
    eb.or(
      groups.map((group) => {
        const { company_id, id: access_group_id } = group;
        const whom = { company_id, access_group_id, permissions: group, id: eb.ref("users.id") };
        const reached = documentsWithin({ ...whom, branch_id: eb.ref("users.branch_id") }, "read");
        return eb.and([eb("users.access_group_id", "=", access_group_id), reached(eb)]);
      }),
    );

/** The same for the alerts about a document. */
export const alertReadersWithin =
  (groups: ReaderGroup[]): Filter<"documents" | "users"> =>
  (eb) =>
    eb.or(
      groups.map((group) => {
        const { company_id, id: access_group_id } = group;
        const whom = { company_id, access_group_id, permissions: group, id: eb.ref("users.id") };
        const subject = { ...whom, branch_id: eb.ref("users.branch_id") };
        const reached = documentsInScope(subject, reach(group.alerts, "read"));
        return eb.and([eb("users.access_group_id", "=", access_group_id), reached(eb)]);
      }),
    );

/** Active branches in the scope of a right; the personal scope is the actor's own branch. */
export function branchesWithin(actor: Actor, right: Right): Filter<"branches"> {
  const scope = scopeOf(actor, "branches", right);
  return (eb) => {
    if (!scope) return eb.lit(false);
    const conditions = [eb("branches.company_id", "=", actor.company_id), eb("branches.active", "=", TRUE)];
    if (scope !== "company") conditions.push(eb("branches.id", "=", actor.branch_id));
    return eb.and(conditions);
  };
}

/** Whether the actor may assign users to a branch. A scope below the company allows their own branch only. */
export const mayAssignBranch = (actor: Actor, branchId: number | null, right: "write" | "create" = "write") =>
  scopeOf(actor, "users", right) === "company" || (branchId !== null && branchId === actor.branch_id);

/** Users in the scope of a right. With `docs` and `create`: who can own a new document. */
export function usersWithin(actor: Actor, area: "users" | "docs", right: Right): Filter<"users"> {
  const scope = scopeOf(actor, area, right);
  return (eb) => {
    if (!scope) return eb.lit(false);
    const conditions = [eb("users.company_id", "=", actor.company_id)];
    const self = eb("users.id", "=", actor.id);
    if (scope === "branch") conditions.push(eb.or([eb("users.branch_id", "=", actor.branch_id), self]));
    if (scope === "personal") conditions.push(self);
    return eb.and(conditions);
  };
}
