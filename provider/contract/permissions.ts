import { z } from "zod";

/** Access groups say who may do what with one string per area (`spec.md` section 6). */

export const areas = ["docs", "co_profile", "branches", "tariffs", "alerts", "map", "users", "roles"] as const;
export type Area = (typeof areas)[number];

/** Read; write = change, archive, delete; create. Write and create bring read with them. */
export type Right = "read" | "write" | "create";

/** Whose rows: the whole company's, the own branch's, one's own. */
export type Scope = "company" | "branch" | "personal";

/** `SCOPE:RIGHTS`, for example `C:R/W/C`, `B:R` or `P:R/W`; empty for no access. */
export const permission = z
  .string()
  .regex(/^$|^[CBP]:(R(\/W)?(\/C)?|W(\/C)?|C)$/, "Give a permission like C:R/W/C, or leave it empty")
  .meta({ description: "SCOPE:RIGHTS, e.g. C:R/W/C, B:R, P:R/W, or empty" });

/** What a user may do, an area each. */
export const Permissions = z
  .object(
    Object.fromEntries(areas.map((area) => [area, permission.default("")])) as Record<
      Area,
      z.ZodDefault<typeof permission>
    >,
  )
  .meta({ id: "Permissions", description: "One permission string per area" });
export type Permissions = z.output<typeof Permissions>;

const scopes: Record<string, Scope> = { C: "company", B: "branch", P: "personal" };
const letters: Record<Right, string> = { read: "R", write: "W", create: "C" };

/** How far `right` reaches in a permission string, or undefined where it isn't given. */
export function reach(permission: string, right: Right): Scope | undefined {
  const [scope = "", rights = ""] = permission.split(":");
  const given = rights.split("/").filter(Boolean);
  const has = right === "read" ? given.length > 0 : given.includes(letters[right]);
  return has ? scopes[scope] : undefined;
}
