import type { z } from "zod";
import type { Actor, Caller } from "../../access.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { type Browser, forgetBrowsers } from "../../sessions/browsers.ts";
import type { changePassword as changePasswordCall, Profile, updateProfile } from "../../contract/profile.ts";
import { audit, staleConflict } from "../../audit/audit-queries.ts";
import type { Db } from "../../db/tables.ts";
import { type ImageChange, imageAudit, imageUrl } from "../../files/images.ts";
import { passwordChangedMessage } from "../../mail/messages.ts";
import { enqueueMessage } from "../../mail/outbox.ts";
import { passwordRefusal, personalTexts } from "../../passwords/new-password.ts";
import { hashPassword, isRightPassword } from "../../passwords/passwords.ts";
import { invalid } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { requireProof } from "../../sessions/proof.ts";
import { soleSignInAddress } from "../../single-sign-on/configuration.ts";
import { nameColumns } from "../../sessions/signup.ts";
import { revokeOtherTokens } from "../../sessions/tokens.ts";
import { isSameEmail, pendingEmailOf, requestEmail } from "./email-change.ts";

/** Changes that users make to their own account, whatever their access group. */

type ProfileChange = z.output<typeof updateProfile.body>;
type Passwords = z.output<typeof changePasswordCall.body>;

/** The actor's own profile for a reply. */
export async function profileOf(db: Db, { id }: Pick<Actor, "id">, now: Date): Promise<z.input<typeof Profile>> {
  const { image_key, ...row } = await db
    .selectFrom("users")
    .where("id", "=", id)
    .select(["id", "name", "email", "phone", "country", "city", "index", "address", "version", "image_key"])
    .executeTakeFirstOrThrow();
  return { ...row, pending_email: await pendingEmailOf(db, id, now), imageUrl: imageUrl("/profile", image_key) };
}

type ProfileForm = { input: ProfileChange; image: ImageChange };

/** Changes the actor's own profile. A new email address must be confirmed, and needs proof that they are present. */
export async function changeProfile(services: Services, caller: Caller, { input, image }: ProfileForm) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await profileOf(transaction, actor, now());
    if (input.version !== undefined && input.version !== before.version) {
      throw await staleConflict(transaction, actor, "user", actor.id);
    }
    const isNewEmail = !isSameEmail(input.email, actor.email);
    if (isNewEmail) requireProof(actor, now());
    const email = isNewEmail ? actor.email : input.email;
    const { name, phone, country, city, index, address } = input;
    const place = { phone, country, city, index, address };
    await transaction
      .updateTable("users")
      .set({ ...place, ...image, ...nameColumns(name, email), version: before.version! + 1 })
      .where("id", "=", actor.id)
      .execute();
    if (isNewEmail) await requestEmail(services, transaction, actor, input.email);
    const subject = { entity: "user", id: actor.id, name } as const;
    await audit(transaction, {
      actor,
      action: "changed",
      subject,
      at: now(),
      before,
      after: { name, email, ...(isNewEmail && { pending_email: input.email }), ...place, ...imageAudit(image) },
    });
  });
  services.nudgeMail();
}

type PasswordChange = { actor: Actor; caller: Caller; token: string; browser: Browser | undefined; request: Request };

/** Sets the actor's password, revokes their other sessions and all links, and forgets their other browsers. */
export async function changePassword(services: Services, from: PasswordChange, passwords: Passwords) {
  const { actor, caller, token, browser, request } = from;
  const { db, now } = services;
  const sole = await soleSignInAddress(services, actor.company_id);
  if (sole) throw invalid({ old_password: `Passwords are switched off: you sign in with single sign-on at ${sole}` });
  const turn = { isFirst: true, signal: request.signal };
  const { password_hash: before } = await db
    .selectFrom("users")
    .where("id", "=", actor.id)
    .select("password_hash")
    .executeTakeFirstOrThrow();
  const refusal = await passwordRefusal(passwords.password, await personalTexts(db, actor.id));
  const isRight = await isRightPassword(before, passwords.old_password, turn);
  if (!isRight || refusal) throw invalid({ ...(!isRight && wrong), ...(refusal && { password: refusal }) });
  const password_hash = await hashPassword(passwords.password, turn);
  await inCallerTransaction(services, caller, async (transaction) => {
    // Of two changes at once, the second's old password is no longer right.
    const { numUpdatedRows } = await transaction
      .updateTable("users")
      .set({ password_hash })
      .where("id", "=", actor.id)
      .where("password_hash", "=", before)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw invalid(wrong);
    await revokeOtherTokens(transaction, actor.id, token);
    await forgetBrowsers(transaction, actor.id, browser);
    const subject = { entity: "user", id: actor.id, name: actor.name } as const;
    await audit(transaction, { actor, action: "password changed", subject, at: now() });
    await enqueueMessage(services, transaction, passwordChangedMessage(actor, "self"), {
      userId: actor.id,
      kind: "password changed",
    });
  });
  services.nudgeMail();
}

const wrong = { old_password: "The old password is not right: type it again" };
