import { branchesWithin, reachOf, usersWithin } from "../access.ts";
import { addBranch, changeBranch, moveToBranch, reachable, removeBranch } from "../branches/change.ts";
import {
  addUserToBranch,
  createBranch,
  getBranch,
  getBranchImage,
  listBranches,
  listBranchUsers,
  removeBranch as removeBranchCall,
  updateBranch,
} from "../contract/branches.ts";
import { asBranch, branchReply, branchRows } from "../db/branches.ts";
import { filters, readPart } from "../db/lists.ts";
import { asUser, userReply, userRows } from "../db/users.ts";
import { type On, listReply } from "../endpoint.ts";
import { imageReply, takeImage } from "../images.ts";
import { forbidden } from "../refused.ts";
import type { Services } from "../services.ts";

const columns = { name: "branches.name_key", country: "branches.country", city: "branches.city" };

export function serveBranches(on: On, services: Services) {
  const { db } = services;

  on(listBranches, async ({ actor, query }) => {
    const visible = branchRows(db)
      .where(branchesWithin(actor, "read"))
      .where((eb) => eb.and(filters(query, columns)));
    const { rows, total } = await readPart(visible, query, columns, { first: "name", last: "branches.id" });
    return listReply(rows.map(asBranch), total);
  });

  on(createBranch, async ({ actor, ...sent }) => {
    const image = await takeImage(services, actor, sent);
    return branchReply(db, await addBranch(services, actor, sent.body, image));
  });

  on(getBranch, async ({ actor, params }) => asBranch(await reachable(db, actor, params.id, "read")));

  on(updateBranch, async ({ actor, params, ...sent }) => {
    await reachable(db, actor, params.id, "write");
    const image = await takeImage(services, actor, sent);
    await changeBranch(services, actor, params.id, sent.body, image);
    return branchReply(db, params.id);
  });

  on(getBranchImage, async ({ actor, params }) => {
    const { image_key } = await reachable(db, actor, params.id, "read");
    return imageReply(services, image_key);
  });

  on(removeBranchCall, async ({ actor, params }) => removeBranch(services, actor, params.id));

  on(listBranchUsers, async ({ actor, params, query }) => {
    const { id } = await reachable(db, actor, params.id, "read");
    if (!reachOf(actor, "users", "read")) throw forbidden();
    const there = userRows(db)
      .where("users.branch_id", "=", id)
      .where("users.active", "=", 1)
      .where(usersWithin(actor, "users", "read"));
    const byName = { name: "users.name_key" };
    const { rows, total } = await readPart(there, query, byName, { first: "name", last: "users.id" });
    return listReply(rows.map(asUser), total);
  });

  on(addUserToBranch, async ({ actor, params, body }) =>
    userReply(db, await moveToBranch(services, actor, params.id, String(body.user))),
  );
}
