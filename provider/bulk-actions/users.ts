import { usersWithin } from "../access.ts";
import { listUsers, updateUser } from "../contract/users.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { asUser, userRows } from "../users/user-queries.ts";
import { changeUser, removeUser } from "../users/change-user.ts";
import { findUser } from "../users/find.ts";
import { matchingUsers } from "../users/matching.ts";
import { createReactivation } from "../users/reactivate.ts";
import type { Services } from "../services.ts";
import { type Act, type RecordKind, parseFilters, skipped } from "./record-kind.ts";

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = async (db: Db, where: ReturnType<typeof usersWithin>, ids: number[]) => {
  const rows = await userRows(db)
    .where(isAmong(db, "users.id", ids))
    .where(where)
    .execute();
  return rows.map((row) => ({ ...row, label: row.name }));
};

async function regroup(
  services: Services,
  { actor, caller }: Parameters<Act<Row>["perform"]>[1],
  id: number,
  group: string,
) {
  const { version, ...user } = asUser(await findUser(services.db, actor, id));
  const input = updateUser.body.parse({ ...user, staff: group, version });
  await changeUser(services, caller, id, { input, image: {} });
}

export const users: RecordKind<Row> = {
  area: "users",
  async matching({ db }, actor, filters, limit) {
    const rows = matchingUsers(db, actor, parseFilters(listUsers.query, filters));
    const matches = await rows.clearSelect().select("users.id").orderBy("users.name_key").limit(limit).execute();
    return matches.map(({ id }) => id);
  },
  records: (db, actor, right, ids) => rowsOf(db, usersWithin(actor, "users", right), ids),
  acts: {
    deactivate: {
      judge({ id, active }, _, actor) {
        if (id === actor.id)
          return { state: "refused", reason: "You can’t remove yourself: ask another administrator" };
        return active === 0 ? skipped("They were deactivated already") : undefined;
      },
      perform: (services, { caller }, id) => removeUser(services, caller, id),
      reverse: { act: "reactivate" },
    },
    reactivate: {
      needsProof: true,
      judge: ({ active }) => (active === 1 ? skipped("They were active already") : undefined),
      perform: (services, { actor, caller }, id) => createReactivation(services)(actor, caller, id),
      reverse: { act: "deactivate" },
    },
    group: {
      needs: "group",
      needsProof: true,
      judge({ id, active, staff }, { group }, actor) {
        // The rest would be refused for want of the right, and could not be undone.
        if (id === actor.id)
          return { state: "refused", reason: "This is you: change your own access group on your own page" };
        if (active === 0) return { state: "refused", reason: "This user was removed: reactivate them first" };
        return staff === group ? skipped("They were in this group already") : undefined;
      },
      perform: (services, who, id, { group = "" }) => regroup(services, who, id, group),
      reverse: { act: "group", parametersFrom: ({ staff }) => ({ group: staff }) },
    },
  },
};
