import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { Access } from "./contract/call.ts";
import { type Area, areas, type Right, rights, type Scope, scopes, reach } from "./contract/areas.ts";
import type { Permissions } from "./contract/permissions.ts";
import type { Tables } from "./db/tables.ts";

/** The one place that decides who may do what. Permissions come from the access group; a role gives none. */

/** Somebody who is signed in, as far as decisions need to know them. */
export type Actor = {
  id: number;
  company_id: number;
  branch_id: number | null;
  access_group_id: number;
  name: string;
  email: string;
  timezone: string;
  permissions: Permissions;
};

/**
 * Whoever makes a writing call, without their rights: those are read in the transaction that writes (`http/caller-transaction.ts`).
 * `session` is the hash of their token, `access` what the call needs.
 */
export type Caller = Pick<Actor, "company_id"> & { session: string; access: Access };

/** How far the actor's right in an area reaches, or undefined where they don't have it. */
export const scopeOf = (actor: Actor, area: Area, right: Right): Scope | undefined =>
  reach(actor.permissions[area], right);

/** Whether the actor may make a call at all; which rows it then shows is for the filters below. */
export function mayCall(access: Access, actor: Actor | undefined): boolean {
  if (access === "public") return true;
  if (!actor) return false;
  return access === "signed-in" || scopeOf(actor, access.area, access.right) !== undefined;
}

/** Administrators are those who may change access groups: they could give themselves every other right. */
export const isAdministratorGroup = ({ roles }: Pick<Permissions, "roles">) => reach(roles, "write") === "company";
export const isAdministrator = ({ permissions }: Pick<Actor, "permissions">) => isAdministratorGroup(permissions);

/** The areas in which a group's permissions go beyond the actor's: nobody gives more than they have. */
export function areasBeyond(actor: Actor, permissions: Permissions): Area[] {
  if (isAdministrator(actor)) return [];
  return areas.filter((area) =>
    rights.some((right) => {
      const given = reach(permissions[area], right);
      const own = scopeOf(actor, area, right);
      return given && (!own || scopes.indexOf(own) > scopes.indexOf(given));
    }),
  );
}

/** Whether the actor may put somebody into a group with these permissions. */
export const mayAssignGroup = (actor: Actor, permissions: Permissions) => areasBeyond(actor, permissions).length === 0;

/** Somebody as far as it matters what acting as them would bring. */
type TargetUser = {
  branch_id: number | null;
  access_group_id: number;
  permissions: Permissions;
  /** Whether documents name their group, which only its members see. */
  seesRestricted: boolean;
  /** Whether something is theirs alone to see: documents that they own (`ownedOutOfScope`), drafts. */
  ownsOutOfScope: boolean;
};

/**
 * Whether the actor can do by themselves all that somebody else can: only then may they decide who signs in as them.
 * What reaches a branch or one's own records reaches them where that user is.
 */
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

/** Whom a rule is about: one user, or in SQL the user of each row. */
type Subject = Pick<Actor, "company_id" | "access_group_id" | "permissions"> & {
  id: number | Expression<number>;
  branch_id: number | null | Expression<number | null>;
};

/**
 * The documents that a right reaches: within the scope, and, where a document names an access group, only for that
 * group's members, its owner and administrators.
 */
export function documentsWithin(actor: Subject, right: Right): Filter<"documents"> {
  return documentsInScope(actor, reach(actor.permissions.docs, right));
}

/** The areas whose rights are about documents, or what became of them. */
const documentAreas = ["docs", "alerts", "map"] as const satisfies Area[];

/** The documents that a user's rights reach because they own them, and that the actor's same rights do not. */
export function ownedOutOfScope(actor: Actor, owner: Pick<Actor, "id" | "permissions">): Filter<"documents"> {
  const scopes = documentAreas.flatMap((area) =>
    rights.filter((right) => reach(owner.permissions[area], right)).map((right) => scopeOf(actor, area, right)),
  );
  return (eb) => {
    // A condition on a branch that is null is neither true nor false.
    const isBeyond = (scope: Scope | undefined) => sql<SqlBool>`(${documentsInScope(actor, scope)(eb)}) is not true`;
    return eb.and([
      eb("documents.company_id", "=", actor.company_id),
      eb("documents.owner_id", "=", owner.id),
      eb.or([...new Set(scopes)].map(isBeyond)),
    ]);
  };
}

/** Whether a right reaches all documents of the actor's company, so that nobody need look at each. */
export const seesAllDocuments = (actor: Actor, area: "docs" | "alerts" | "map" = "docs", right: Right = "read") =>
  scopeOf(actor, area, right) === "company" && isAdministrator(actor);

/** Some of a company's documents that an index has together. */
export type Partition = { column: "branch_id" | "owner_id"; value: number | null; notOfBranch?: number };

/**
 * The few partitions of a company's documents that hold all that the actor may read, each document in one; undefined
 * where that may be any. Not all that is in them may be read: that `documentsWithin` says.
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

/** The alerts that a right reaches: those about documents that it would reach. */
export function alertsWithin(actor: Actor, right: Right): Filter<"documents"> {
  return documentsInScope(actor, scopeOf(actor, "alerts", right));
}

/** Those of whose scans the actor learns the place as it is; of others they learn it to about a kilometre. */
export const exactPlacesWithin = (actor: Actor) => alertsWithin(actor, "write");

/** The scans that a map may show: those of documents that its right would reach. */
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

/** An access group, as far as it decides who can see a document. */
export type ReaderGroup = Permissions & { id: number; company_id: number };

/** Whether a user can see a document, in one query over both: the same rule as for a user's own documents. */
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

/** The branches that a right reaches; the personal scope knows the own branch only. Removed ones are out of reach. */
export function branchesWithin(actor: Actor, right: Right): Filter<"branches"> {
  const scope = scopeOf(actor, "branches", right);
  return (eb) => {
    if (!scope) return eb.lit(false);
    const conditions = [eb("branches.company_id", "=", actor.company_id), eb("branches.active", "=", 1)];
    if (scope !== "company") conditions.push(eb("branches.id", "=", actor.branch_id));
    return eb.and(conditions);
  };
}

/**
 * Whether the actor may make a branch somebody's, when changing or adding them. Those who reach no further than their
 * own branch have that only; "no branch" is not within it.
 */
export const mayAssignBranch = (actor: Actor, branchId: number | null, right: "write" | "create" = "write") =>
  scopeOf(actor, "users", right) === "company" || (branchId !== null && branchId === actor.branch_id);

/** The users that a right in an area reaches. Asked with `docs` and `create`: who can own a new document. */
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
