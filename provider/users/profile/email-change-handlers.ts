import { limitByNetwork } from "../../http/rate-limits.ts";
import {
  cancelEmail,
  cancelUserEmail,
  changeEmail,
  confirmEmail,
  emailLink,
  resendEmail,
  resendUserEmail,
} from "../../contract/email-changes.ts";
import type { Actor, Caller } from "../../access.ts";
import type { On } from "../../http/endpoint.ts";
import { expiredLink, forbidden } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { mayReassign } from "../rights.ts";
import { findUser } from "../find.ts";
import {
  cancelEmailChange,
  findEmailChange,
  changeOwnEmail,
  confirmEmailChange,
  isSameEmail,
  pendingEmailOf,
  resendLink,
} from "./email-change.ts";
import { userLimits } from "../limits.ts";

/** Changes of email addresses, of oneself and of users, and the confirmation by link. */

export function serveEmailChanges(on: On, services: Services) {
  const { db, now } = services;
  const limits = userLimits(services);
  const confirmations = limitByNetwork(services, "email_confirmation");

  on(changeEmail, async ({ actor, caller, body: { email } }) => {
    if (isSameEmail(email, actor.email)) return;
    await limits.changingEmail(actor, email, () => changeOwnEmail(services, caller, email));
  });

  const oneself = async (_: unknown, actor: Actor) => actor;
  const userWithId = (id: number) => async (db: Services["db"], actor: Actor) => {
    const user = await findUser(db, actor, id);
    if (user.id !== actor.id && !(await mayReassign(db, actor, user))) throw forbidden();
    return user;
  };

  on(cancelEmail, async ({ caller }) => cancelEmailChange(services, caller, oneself));
  on(cancelUserEmail, async ({ caller, params }) => cancelEmailChange(services, caller, userWithId(params.id)));

  async function resend(actor: Actor, caller: Caller, find: typeof oneself | ReturnType<typeof userWithId>) {
    const email = await pendingEmailOf(db, (await find(db, actor)).id, now());
    const send = () => resendLink(services, caller, find);
    await (email ? limits.changingEmail(actor, email, send) : send());
  }

  on(resendEmail, async ({ actor, caller }) => resend(actor, caller, oneself));
  on(resendUserEmail, async ({ actor, caller, params }) => resend(actor, caller, userWithId(params.id)));

  on(emailLink, async ({ token }) => {
    const change = token && (await findEmailChange(db, token, now()));
    if (!change) throw expiredLink();
    return { email: change.email };
  });

  on(confirmEmail, async ({ token, networks }) => {
    await confirmations.count(networks);
    if (!token) throw expiredLink();
    await confirmEmailChange(services, token);
  });
}
