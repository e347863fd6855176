import { type Actor, usersWithin } from "../access.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { userRows } from "./user-queries.ts";
import { findReachable } from "../http/errors.ts";

/** A user in the scope of the actor's right. Throws 403 or 404. */
export const findUser = (db: Db, actor: Actor, id: number, right: "read" | "write" = "write") =>
  findReachable(
    (right) =>
      userRows(db)
        .where("users.id", "=", id)
        .where(usersWithin(actor, "users", right))
        // Only who may make a removed user active again sees them.
        .where((eb) => eb.or([eb("users.active", "=", TRUE), usersWithin(actor, "users", "write")(eb)]))
        .executeTakeFirst(),
    right,
  );

/** Whether a user has set a password, and so can sign in. */
export async function hasJoined(db: Db, id: number): Promise<boolean> {
  const joined = db.selectFrom("users").where("id", "=", id).where("password_hash", "is not", null);
  return (await joined.select("id").executeTakeFirst()) !== undefined;
}
