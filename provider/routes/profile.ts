import type { Actor } from "../access.ts";
import { countAttempt, forgetAttempts, quarterHour } from "../attempts.ts";
import { changePassword, getProfile, getProfileImage, updateProfile } from "../contract/profile.ts";
import type { On } from "../endpoint.ts";
import { imageReply, withImage } from "../images.ts";
import type { Services } from "../services.ts";
import { changePassword as setPassword, changeProfile, profileOf } from "../users/profile.ts";

export function serveProfile(on: On, services: Services) {
  const { db, limiter } = services;
  const attempts = limiter("old_password", 10, quarterHour);

  on(getProfile, async ({ actor }) => profileOf(db, actor));

  const imageOf = async ({ id }: Pick<Actor, "id">) => {
    const users = db.selectFrom("users").where("id", "=", id);
    return (await users.select("image_key").executeTakeFirstOrThrow()).image_key;
  };

  on(updateProfile, async ({ actor, caller, ...sent }) => {
    await withImage(services, sent, await imageOf(actor), (image) => changeProfile(services, caller, sent.body, image));
    return profileOf(db, actor);
  });

  on(getProfileImage, async ({ actor }) => imageReply(services, await imageOf(actor)));

  // Who found a session open could guess here as well as at the sign-in.
  on(changePassword, async ({ actor, caller, token, body }) => {
    await countAttempt(attempts, String(actor.id));
    await setPassword(services, { actor, caller, token: token! }, body);
    await forgetAttempts(attempts, String(actor.id));
  });
}
