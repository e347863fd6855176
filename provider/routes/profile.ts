import { countAttempt, forgetAttempts, quarterHour } from "../attempts.ts";
import { changePassword, getProfile, getProfileImage, updateProfile } from "../contract/profile.ts";
import type { On } from "../endpoint.ts";
import { imageReply, takeImage } from "../images.ts";
import type { Services } from "../services.ts";
import { changePassword as setPassword, changeProfile, profileOf } from "../users/profile.ts";

export function serveProfile(on: On, services: Services) {
  const { db, limiter } = services;
  const attempts = limiter("old_password", 10, quarterHour);

  on(getProfile, async ({ actor }) => profileOf(db, actor));

  on(updateProfile, async ({ actor, ...sent }) => {
    const image = await takeImage(services, actor, sent);
    await changeProfile(services, actor, sent.body, image);
    return profileOf(db, actor);
  });

  on(getProfileImage, async ({ actor }) => {
    const { image_key } = await db
      .selectFrom("users")
      .where("id", "=", actor.id)
      .select("image_key")
      .executeTakeFirstOrThrow();
    return imageReply(services, image_key);
  });

  // Who found a session open could guess here as well as at the sign-in.
  on(changePassword, async ({ actor, token, body }) => {
    await countAttempt(attempts, String(actor.id));
    await setPassword(services, actor, token!, body);
    await forgetAttempts(attempts, String(actor.id));
  });
}
