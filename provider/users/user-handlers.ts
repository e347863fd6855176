import { usersWithin } from "../access.ts";
import {
  createUser,
  eraseUser as eraseUserCall,
  getUser,
  getUserImage,
  inviteUser,
  listSuggestions,
  listUsers,
  reactivateUser as reactivateUserCall,
  removeUser as removeUserCall,
  updateUser,
} from "../contract/users.ts";
import { readList } from "../db/lists.ts";
import { asUser, userReply } from "./user-queries.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import { imageReply, withImage } from "../files/images.ts";
import { isUndelivered } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { requireProof } from "../sessions/proof.ts";
import { addUser, changeUser, removeUser } from "./change-user.ts";
import { findUser } from "./find.ts";
import { matchingUsers, userListColumns } from "./matching.ts";
import { createReactivation } from "./reactivate.ts";
import { suggestions } from "./suggestions.ts";
import { sendInvitation } from "./invite.ts";
import { hasFactorOrPasskey } from "../second-factors/check.ts";
import { pendingEmailOf } from "./profile/email-change.ts";
import { eraseUser } from "./erase.ts";
import { userLimits } from "./limits.ts";

export function serveUsers(on: On, services: Services) {
  const { db } = services;
  const limits = userLimits(services);

  on(listUsers, async ({ actor, query, isUncounted }) => {
    const visible = matchingUsers(db, actor, query);
    const part = { ...query, isUncounted };
    const order = { first: "name", last: "users.id" } as const;
    const { rows, total, isCapped } = await readList(visible, part, userListColumns, order);
    return listReply(rows.map(asUser), total, { isCapped });
  });

  on(getUser, async ({ actor, params }) => {
    const user = await findUser(db, actor, params.id, "read");
    const row = db.selectFrom("users").where("id", "=", user.id);
    const { erased_at } = await row.select("erased_at").executeTakeFirstOrThrow();
    const mayChange = await row
      .where(usersWithin(actor, "users", "write"))
      .select("id")
      .executeTakeFirst();
    const pending_email = mayChange ? await pendingEmailOf(db, user.id, services.now()) : "";
    const undelivered = await isUndelivered(db, user.id);
    const factor = mayChange && { second_factor: await hasFactorOrPasskey(db, user.id) };
    return { ...asUser(user), undelivered, pending_email, erased: erased_at !== null, ...factor };
  });

  on(getUserImage, async ({ actor, params }) => {
    const { image_key } = await findUser(db, actor, params.id, "read");
    return imageReply(services, image_key);
  });

  on(createUser, async ({ actor, caller, ...form }) => {
    const { email, password } = form.body;
    // Before the password costs a hash.
    if (password) requireProof(actor, services.now());
    const addWith = () =>
      withImage(services, { ...form, caller }, null, (image) => addUser(services, caller, form.body, image));
    const add = () => limits.assigningEmail(actor, addWith);
    const { id, invited } = await (password ? limits.settingPassword(actor, add) : limits.inviting(actor, email, add));
    return { ...(await userReply(db, id)), invitation: invited };
  });

  on(updateUser, async ({ actor, caller, params, ...form }) => {
    const { body: input } = form;
    const prove = () => requireProof(actor, services.now());
    if (input.password) prove();
    const { image_key } = await findUser(db, actor, params.id);
    const change = () =>
      limits.changingUser(db, actor, { id: params.id, input, prove }, () =>
        withImage(services, { ...form, caller }, image_key, (image) =>
          changeUser(services, caller, params.id, { input, image }),
        ),
      );
    await (input.password ? limits.settingPassword(actor, change) : change());
    return userReply(db, params.id);
  });

  on(removeUserCall, async ({ caller, params }) => removeUser(services, caller, params.id));

  on(eraseUserCall, async ({ caller, params }) => eraseUser(services, caller, params.id));

  on(inviteUser, async ({ actor, caller, params }) => {
    const { email } = await findUser(db, actor, params.id);
    return { invitation: await limits.inviting(actor, email, () => sendInvitation(services, caller, params.id)) };
  });

  const reactivate = createReactivation(services);
  on(reactivateUserCall, async ({ actor, caller, params }) => ({
    invitation: await reactivate(actor, caller, params.id),
  }));

  on(listSuggestions, async ({ actor }) => suggestions(db, actor));
}
