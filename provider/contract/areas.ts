/** Permission strings (`docs/specification.md` section 6). Without zod, which would make pages large. */

export const areas = ["docs", "co_profile", "branches", "tariffs", "alerts", "map", "users", "roles"] as const;
export type Area = (typeof areas)[number];

/** Areas whose rights always reach the whole company: there is one of each, or its rows have no owner. */
export const companyAreas: readonly Area[] = ["co_profile", "tariffs", "roles"];

/** Write is to change, archive or delete; release is to let go what others drafted, in Docs alone. All imply read. */
export const rights = ["read", "write", "create", "release"] as const;
export type Right = (typeof rights)[number];

/** The rights that an area knows. */
export const rightsIn = (area: Area): readonly Right[] =>
  area === "docs" ? rights : rights.filter((right) => right !== "release");

/** Whose rows: the company's, the member's branch's, their own. The widest comes first. */
export const scopes = ["company", "branch", "personal"] as const;
export type Scope = (typeof scopes)[number];

const scopeLetters: Record<Scope, string> = { company: "C", branch: "B", personal: "P" };
const rightLetters: Record<Right, string> = { read: "R", write: "W", create: "C", release: "L" };

/** The scope of a right in a permission string, or undefined if it is not granted. */
export function reach(permission: string, right: Right): Scope | undefined {
  const [letter = "", rest = ""] = permission.split(":");
  const letters = rest.split("/").filter(Boolean);
  const has = right === "read" ? letters.length > 0 : letters.includes(rightLetters[right]);
  return has ? scopes.find((scope) => scopeLetters[scope] === letter) : undefined;
}

/** The permission string of a scope and rights; half a string if one of them is missing, as in an unfinished form. */
export function permissionOf(scope: Scope | undefined, granted: readonly Right[]): string {
  if (!scope && granted.length === 0) return "";
  const letters = rights.filter((right) => granted.includes(right)).map((right) => rightLetters[right]);
  return `${scope ? scopeLetters[scope] : ""}:${letters.join("/")}`;
}

/** The scope and rights in a permission string, which may be half of one. */
export function partsOf(permission: string): { scope: Scope | undefined; rights: Right[] } {
  const [letter = "", rest = ""] = permission.split(":");
  const letters = rest.split("/");
  return {
    scope: scopes.find((scope) => scopeLetters[scope] === letter),
    rights: rights.filter((right) => letters.includes(rightLetters[right])),
  };
}

/** Areas as the specification names them (`docs/specification.md` section 2, `/users/roles`), for refusals. */
export const areaNames: Record<Area, string> = {
  docs: "Docs",
  co_profile: "Co profile",
  branches: "Branches",
  tariffs: "Tariffs",
  alerts: "Alerts",
  map: "Map",
  users: "Users",
  roles: "Roles",
};
