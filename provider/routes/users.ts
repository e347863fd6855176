import { usersWithin } from "../access.ts";
import { currentUser, headerMaxPages, listUsers } from "../contract/users.ts";
import { filters, readPart } from "../db/lists.ts";
import { asUser, userReply, userRows } from "../db/users.ts";
import { type On, listReply } from "../endpoint.ts";
import type { Services } from "../services.ts";

const columns = {
  name: "users.name_key",
  role: "users.role",
  country: "users.country",
  city: "users.city",
  index: "users.index",
  branch: "branches.name_key",
};

export function serveUsers(on: On, { db }: Services) {
  on(currentUser, async ({ actor }) => {
    const company = await db
      .selectFrom("companies")
      .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
      .where("companies.id", "=", actor.company_id)
      .select(["companies.id", "companies.name", "timezone", "documents", "companies.pages"])
      .select(["tariffs.id as tariff_id", "tariffs.name as tariff"])
      .executeTakeFirstOrThrow();
    return {
      ...(await userReply(db, actor.id)),
      company: { id: company.id, name: company.name, img: "", timezone: company.timezone },
      plan: { id: company.tariff_id, name: company.tariff },
      usage: { documents: company.documents, pages: company.pages, max_pages: headerMaxPages },
      permissions: actor.permissions,
    };
  });

  on(listUsers, async ({ actor, query }) => {
    const visible = userRows(db)
      .where("users.active", "=", 1)
      .where(usersWithin(actor, "users", "read"))
      .where((eb) => eb.and(filters(query, { ...columns, email: "users.email_key" })));
    const { rows, total } = await readPart(visible, query, columns, { first: "name", last: "users.id" });
    return listReply(rows.map(asUser), total);
  });
}
