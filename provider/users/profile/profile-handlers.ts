import type { Actor } from "../../access.ts";
import { limitByKey } from "../../http/rate-limits.ts";
import { changePassword, getProfile, getProfileImage, updateProfile } from "../../contract/profile.ts";
import type { On } from "../../http/endpoint.ts";
import { imageReply, withImage } from "../../files/images.ts";
import { hasPassword } from "../../passwords/has-password.ts";
import type { Services } from "../../services.ts";
import { requireProof } from "../../sessions/proof.ts";
import { isSameEmail } from "./email-change.ts";
import { changePassword as setPassword, changeProfile, profileOf } from "./profile.ts";
import { userLimits } from "../limits.ts";

export function serveProfile(on: On, services: Services) {
  const { db, now } = services;
  const limits = userLimits(services);
  const oldPasswords = limitByKey(services, "old_password");

  on(getProfile, async ({ actor }) => {
    const profile = await profileOf(db, actor, now());
    return (await hasPassword(services, actor)) ? profile : { ...profile, has_password: false };
  });

  const imageOf = async ({ id }: Pick<Actor, "id">) => {
    const users = db.selectFrom("users").where("id", "=", id);
    return (await users.select("image_key").executeTakeFirstOrThrow()).image_key;
  };

  on(updateProfile, async ({ actor, caller, ...form }) => {
    const { body: input } = form;
    const isNewEmail = !isSameEmail(input.email, actor.email);
    if (isNewEmail) requireProof(actor, now());
    const before = await imageOf(actor);
    const change = () =>
      withImage(services, { ...form, caller }, before, (image) => changeProfile(services, caller, { input, image }));
    await (isNewEmail ? limits.changingEmail(actor, input.email, change) : change());
    return profileOf(db, actor, now());
  });

  on(getProfileImage, async ({ actor }) => imageReply(services, await imageOf(actor)));

  // By session: guesses in a stolen one do not keep the user from changing the password elsewhere.
  on(changePassword, async ({ actor, caller, token, body, browser, request }) => {
    await oldPasswords.count(token!);
    await setPassword(services, { actor, caller, token: token!, browser, request }, body);
    await oldPasswords.reset(token!);
  });
}
