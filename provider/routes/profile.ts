import { fold } from "#storage/database.ts";
import { limitByKey, quarterHour } from "../attempts.ts";
import { changePassword, getProfile, getProfileImage, updateProfile } from "../contract/profile.ts";
import type { On } from "../endpoint.ts";
import { imageReply, takeImage } from "../images.ts";
import type { Services } from "../services.ts";
import { changePassword as setPassword, changeProfile, profileOf } from "../users/profile.ts";
import { userLimits } from "../users/limits.ts";

export function serveProfile(on: On, services: Services) {
  const { db } = services;
  const limits = userLimits(services);
  const oldPasswords = limitByKey(services, ["old_password", 10, quarterHour]);

  on(getProfile, async ({ actor }) => profileOf(db, actor));

  on(updateProfile, async ({ actor, ...sent }) => {
    const change = async () => changeProfile(services, actor, sent.body, await takeImage(services, sent));
    const isNew = fold(sent.body.email) !== fold(actor.email);
    await (isNew ? limits.givingEmail(actor, change) : change());
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

  // By session: with one that was found open, nobody guesses for long or keeps the user from a change elsewhere.
  on(changePassword, async ({ actor, token, body, browser, request }) => {
    await oldPasswords.count(token!);
    await setPassword(services, actor, body, { token: token!, browser, request });
    await oldPasswords.forget(token!);
  });
}
