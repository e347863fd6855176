import type { z } from "zod";
import { branchesWithin } from "../access.ts";
import { type Branch, listBranches } from "../contract/branches.ts";
import { filters, readPart } from "../db/lists.ts";
import { type On, listReply } from "../endpoint.ts";
import type { Services } from "../services.ts";

const columns = { name: "branches.name_key", country: "branches.country", city: "branches.city" };

export function serveBranches(on: On, { db }: Services) {
  on(listBranches, async ({ actor, query }) => {
    const visible = db
      .selectFrom("branches")
      .leftJoin("users as managers", "managers.id", "branches.manager_id")
      .where(branchesWithin(actor, "read"))
      .where((eb) => eb.and(filters(query, columns)))
      .select(["branches.id", "branches.name", "branches.email", "branches.phone", "branches.country"])
      .select(["branches.city", "branches.index", "branches.address", "branches.version", "branches.manager_id"])
      .select("managers.name as manager");
    const { rows, total } = await readPart(visible, query, columns, { first: "name", last: "branches.id" });
    const branches = rows.map((row) => ({ ...row, manager: row.manager ?? "", imageUrl: "" }));
    return listReply(branches satisfies z.input<typeof Branch>[], total);
  });
}
