import { addGroup, changeGroup, findGroup, removeGroup } from "./change-access-group.ts";
import {
  createAccessGroup,
  getAccessGroup,
  listAccessGroups,
  listMembers,
  removeAccessGroup,
  updateAccessGroup,
} from "../contract/access-groups.ts";
import { usersWithin } from "../access.ts";
import { asGroup, groupRows } from "./access-group-queries.ts";
import { TRUE } from "../db/flags.ts";
import { filters, readList } from "../db/lists.ts";
import { asUser, userRows } from "../users/user-queries.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

const columns = { name: "access_groups.name_key" };

export function serveAccessGroups(on: On, services: Services) {
  const { db } = services;

  on(listAccessGroups, async ({ actor, query }) => {
    const visible = groupRows(db, actor).where((eb) => eb.and(filters(query, columns)));
    const { rows, total } = await readList(visible, query, columns, { first: "name", last: "access_groups.id" });
    return listReply(rows.map(asGroup), total);
  });

  on(getAccessGroup, async ({ actor, params }) => asGroup(await findGroup(db, actor, params.id)));

  on(listMembers, async ({ actor, params, query }) => {
    const { id } = await findGroup(db, actor, params.id);
    const visible = userRows(db)
      .where("users.access_group_id", "=", id)
      .where("users.active", "=", TRUE)
      .where(usersWithin(actor, "users", "read"));
    const sorts = { name: "users.name_key" };
    const { rows, total } = await readList(visible, query, sorts, { first: "name", last: "users.id" });
    return listReply(rows.map(asUser), total);
  });

  on(createAccessGroup, async ({ actor, caller, body }) => {
    const id = await addGroup(services, caller, body);
    return asGroup(await findGroup(db, actor, id));
  });

  on(updateAccessGroup, async ({ actor, caller, params, body }) => {
    await changeGroup(services, caller, params.id, body);
    return asGroup(await findGroup(db, actor, params.id));
  });

  on(removeAccessGroup, async ({ caller, params }) => removeGroup(services, caller, params.id));
}
