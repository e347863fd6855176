import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import { insertAccessEntry } from "../audit/access-trail.ts";
import { type Browser, forgetBrowsers, rememberBrowser } from "./browsers.ts";
import { hasSecondFactor } from "../second-factors/check.ts";
import { createSecondStep } from "../second-factors/second-step.ts";
import { confirmSignIn } from "../contract/second-factors.ts";
import { forgotPassword, login, logout, signup, signupLink } from "../contract/sessions.ts";
import { audit } from "../audit/audit-queries.ts";
import { userReply } from "../users/user-queries.ts";
import type { On } from "../http/endpoint.ts";
import { passwordChangedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { hashNewPassword, personalTexts } from "../passwords/new-password.ts";
import { conflict, expiredLink, HttpError, unauthorized } from "../http/errors.ts";
import { EmailTaken } from "../users/profile/email-taken.ts";
import { proveByLink } from "../users/ownership.ts";
import { requestReset } from "./resets.ts";
import type { Services } from "../services.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";
import { createSignIn } from "./sign-in.ts";
import { createSignInRecord, ownAccess } from "./record-sign-in.ts";
import { insertFirstCompany, hasCompany } from "./signup.ts";
import { findLink, issueFactorToken, openSession, revokeTokens, consumeToken } from "./tokens.ts";

/** Sign-in, sign-up by link, and password resets. */

export function serveSessions(on: On, services: Services) {
  const { db, now } = services;
  const limits = {
    forgotByNetwork: limitByNetwork(services, "forgot_address"),
    signupByLink: limitByKey(services, "signup_link"),
    signupByNetwork: limitByNetwork(services, "signup_address"),
  };
  const signIn = createSignIn(services);
  const recordSignIn = createSignInRecord(services);
  const confirm = createSecondStep(services);

  on(login, async ({ body, networks, browser, origin, request, onWait }) => {
    if (services.singleSignOn?.passwordsOff) throw passwordsOff(`${services.publicUrl}/login`);
    const user = await signIn({ ...body, networks, browser, request, onWait });
    const sole = await soleSignInAddress(services, user.company_id);
    if (sole) throw passwordsOff(sole);
    if (await hasSecondFactor(db, user.id)) return secondStep(user.id, browser);
    const token = await openSession(db, user.id, browser, { now: now() });
    return recordSignIn(user, token, { browser, origin });
  });

  on(confirmSignIn, async ({ body, token, networks, browser, origin }) => {
    const { used, user, token: session } = await confirm({ ...body, token, networks, browser });
    const reply = await recordSignIn(user, session, { browser, origin });
    return { ...reply, ...(used.kind === "recovery code" && { recovery_codes: used.codesLeft }) };
  });

  const secondStep = async (userId: number, browser: Browser | undefined) =>
    ({ second_factor: "one-time code", token: await issueFactorToken(db, userId, browser, now()) }) as const;

  on(logout, async ({ actor, token, origin }) => {
    if (!(await consumeToken(db, token!))) throw unauthorized();
    await insertAccessEntry(db, { ...ownAccess(actor), action: "signed out", ...origin }, now());
  });

  on(signupLink, async ({ token }) => {
    const link = await validLink(token);
    if (link.kind === "first" && (await hasCompany(db))) throw expiredLink();
    return { kind: link.kind, name: link.name ?? "", email: link.email ?? "", company: link.company ?? "" };
  });

  on(signup, async ({ body, token, networks, browser, request }) => {
    await limits.signupByNetwork.count(networks);
    await limits.signupByLink.count(token ?? "");
    const link = await validLink(token);
    const founder = [body.name, body.email, body.company];
    const texts = link.user_id === null ? founder : await personalTexts(db, link.user_id);
    const turn = { isFirst: true, signal: request.signal };
    const password_hash = await hashNewPassword(body.password, texts, turn);
    const userId = await db
      .transaction()
      .execute(async (transaction) => {
        if (!(await consumeToken(transaction, token!))) throw expiredLink();
        if (link.user_id === null) return insertFirstCompany(transaction, body, password_hash, now());
        const { id, name, email, company_id } = await findUser(transaction, link.user_id);
        // Without a mail server an invitation's link was shown to its sender.
        const isMailed = link.kind === "reset" || !services.mail.isFolder;
        if (isMailed) await proveByLink(services, transaction, { id, name, email, company_id });
        await transaction.updateTable("users").set({ password_hash }).where("id", "=", id).execute();
        await revokeTokens(transaction, id);
        await forgetBrowsers(transaction, id);
        const subject = { entity: "user", id, name } as const;
        const action = link.kind === "reset" ? "password reset" : "joined";
        await audit(transaction, { actor: { id, name, company_id }, action, subject, at: now() });
        if (link.kind === "reset") {
          const notice = passwordChangedMessage({ email }, "reset");
          await enqueueMessage(services, transaction, notice, { userId: id, kind: "password changed" });
        }
        return id;
      })
      .catch(rethrowAsConflict);
    services.nudgeMail();
    // The next sign-in with this browser is not delayed.
    await rememberBrowser(db, userId, browser, now());
    // A link proves the mailbox alone.
    if (await hasSecondFactor(db, userId)) return secondStep(userId, browser);
    return { user: await userReply(db, userId), token: await openSession(db, userId, browser, { now: now() }) };
  });

  async function validLink(token: string | undefined) {
    const link = token && (await findLink(db, token, now()));
    if (!link) throw expiredLink();
    const sole = link.company_id && (await soleSignInAddress(services, link.company_id));
    if (sole) throw conflict(`Passwords are switched off. Sign in with single sign-on: ${sole}`);
    return {
      ...link,
      kind: link.kind as Exclude<typeof link.kind, "session" | "email" | "factor" | "passkey" | "sign-in">,
    };
  }

  // Not limited by account, so that unauthenticated clients can't block a user: the job limits the messages.
  on(forgotPassword, async ({ body, networks }) => {
    await limits.forgotByNetwork.count(networks);
    await requestReset(services, body.email);
  });
}

/** Only for the mail's reader: an inviting company learns nothing. */
function rethrowAsConflict(error: unknown): never {
  if (!(error instanceof EmailTaken)) throw error;
  throw conflict(
    "You sign in with this email address at another company here. Let that company remove your user first, or let this one invite another address of yours.",
  );
}

const findUser = (db: Services["db"], id: number) =>
  db.selectFrom("users").where("id", "=", id).select(["id", "name", "email", "company_id"]).executeTakeFirstOrThrow();

/** Returns where to sign in, if the password is right or all users sign in there. */
const passwordsOff = (address: string) =>
  new HttpError(422, `Passwords are switched off. Sign in with single sign-on: ${address}`);
