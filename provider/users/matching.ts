import type { z } from "zod";
import { type Actor, usersWithin } from "../access.ts";
import type { listUsers } from "../contract/users.ts";
import { filters } from "../db/lists.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { userRows } from "./user-queries.ts";

/** The columns of the list of users by their sort names. */
export const userListColumns = {
  name: "users.name_key",
  role: "users.role",
  country: "users.country",
  city: "users.city",
  index: "users.index",
  branch: "branches.name_key",
};

/** The users that the actor may see and that match the filters of their list. */
export const matchingUsers = (db: Db, actor: Actor, query: z.output<typeof listUsers.query>) =>
  userRows(db)
    .where("users.active", "=", query.active === "1" ? TRUE : 0)
    .where(usersWithin(actor, "users", query.active === "1" ? "read" : "write"))
    .where((eb) => eb.and(filters(query, { ...userListColumns, email: "users.email_key" })));
