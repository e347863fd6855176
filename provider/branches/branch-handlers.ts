import { branchesWithin, scopeOf, usersWithin } from "../access.ts";
import { addBranch, changeBranch, moveToBranch, findBranch, removeBranch } from "./change-branch.ts";
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
import { asBranch, branchReply, branchRows } from "./branch-queries.ts";
import { TRUE } from "../db/flags.ts";
import { filters, readList } from "../db/lists.ts";
import { asUser, userReply, userRows } from "../users/user-queries.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import { imageReply, withImage } from "../files/images.ts";
import { forbidden } from "../http/errors.ts";
import type { Services } from "../services.ts";

const columns = { name: "branches.name_key", country: "branches.country", city: "branches.city" };

export function serveBranches(on: On, services: Services) {
  const { db } = services;

  on(listBranches, async ({ actor, query, isUncounted }) => {
    const visible = branchRows(db)
      .where(branchesWithin(actor, "read"))
      .where((eb) => eb.and(filters(query, columns)));
    const part = { ...query, isUncounted };
    const order = { first: "name", last: "branches.id" } as const;
    const { rows, total, isCapped } = await readList(visible, part, columns, order);
    return listReply(rows.map(asBranch), total, { isCapped });
  });

  on(createBranch, async ({ caller, ...form }) => {
    const id = await withImage(services, { ...form, caller }, null, (image) =>
      addBranch(services, caller, form.body, image),
    );
    return branchReply(db, id);
  });

  on(getBranch, async ({ actor, params }) => asBranch(await findBranch(db, actor, params.id, "read")));

  on(updateBranch, async ({ actor, caller, params, ...form }) => {
    const { image_key } = await findBranch(db, actor, params.id, "write");
    await withImage(services, { ...form, caller }, image_key, (image) =>
      changeBranch(services, caller, params.id, { input: form.body, image }),
    );
    return branchReply(db, params.id);
  });

  on(getBranchImage, async ({ actor, params }) => {
    const { image_key } = await findBranch(db, actor, params.id, "read");
    return imageReply(services, image_key);
  });

  on(removeBranchCall, async ({ caller, params }) => removeBranch(services, caller, params.id));

  on(listBranchUsers, async ({ actor, params, query }) => {
    const { id } = await findBranch(db, actor, params.id, "read");
    if (!scopeOf(actor, "users", "read")) throw forbidden();
    const users = userRows(db)
      .where("users.branch_id", "=", id)
      .where("users.active", "=", TRUE)
      .where(usersWithin(actor, "users", "read"));
    const byName = { name: "users.name_key" };
    const { rows, total } = await readList(users, query, byName, { first: "name", last: "users.id" });
    return listReply(rows.map(asUser), total);
  });

  on(addUserToBranch, async ({ caller, params, body }) =>
    userReply(db, await moveToBranch(services, caller, params.id, String(body.user))),
  );
}
