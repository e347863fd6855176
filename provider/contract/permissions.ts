import { z } from "zod";
import { type Area, areas } from "./areas.ts";

/** An access group grants rights by one string per area (`docs/specification.md` section 6). */

export { type Area, areas, reach, type Right } from "./areas.ts";

/** `SCOPE:RIGHTS`, for example `C:R/W/C`, `B:R`, `P:R/W` or in Docs `B:R/L`; empty for no access. */
export const permission = z
  .string()
  .regex(
    /^$|^[CBP]:(?=[RWCL])(R(\/|$))?(W(\/|$))?(C(\/|$))?(L$)?(?<!\/)$/,
    "Give a permission like C:R/W/C, or leave it empty",
  )
  .meta({ description: "SCOPE:RIGHTS, e.g. C:R/W/C, B:R, P:R/W, in Docs C:R/L, or empty" });

/** A user's rights by area. */
export const Permissions = z
  .object(
    Object.fromEntries(areas.map((area) => [area, permission.default("")])) as Record<
      Area,
      z.ZodDefault<typeof permission>
    >,
  )
  .meta({ id: "Permissions", description: "One permission string per area" });
export type Permissions = z.output<typeof Permissions>;
