import { z } from "zod";
import { type Area, areas } from "./areas.ts";

/** An access group grants rights by one string per area (`docs/specification.md` section 6). */

export { type Area, areas, reach, type Right } from "./areas.ts";

/** `SCOPE:RIGHTS`, for example `C:R/W/C`, `B:R` or `P:R/W`; empty for no access. */
export const permission = z
  .string()
  .regex(/^$|^[CBP]:(R(\/W)?(\/C)?|W(\/C)?|C)$/, "Give a permission like C:R/W/C, or leave it empty")
  .meta({ description: "SCOPE:RIGHTS, e.g. C:R/W/C, B:R, P:R/W, or empty" });

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
