import type { Kysely } from "kysely";
import type { Actor, Caller } from "../access.ts";
import { audit } from "../db/audit.ts";
import type { Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, HttpError } from "../http/errors.ts";
import { invitationMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { issueToken } from "../sessions/tokens.ts";
import { findUser } from "./find.ts";
import { mayImpersonateAt } from "./rights.ts";

/** Sends a user a link to set their password, and revokes earlier invitations. */
export async function sendInvitation(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await findUser(transaction, actor, id);
    if (user.active === 0) throw conflict(`${user.name} was removed: make them active first`);
    // An invitation's mailbox may be the actor's own.
    if (id !== actor.id && !(await mayImpersonateAt(services, transaction, actor, user))) {
      throw new HttpError(403, "This user may see or do more than you: ask an administrator to invite them");
    }
    await enqueueInvitation(services, transaction, actor, user);
  });
  services.nudgeMail();
}

type Invited = { id: number; name: string; email: string };

/** Puts an invitation into the outbox and revokes earlier ones. `db` is a transaction. */
export async function enqueueInvitation(
  services: Services,
  db: Kysely<Tables>,
  actor: Pick<Actor, "id" | "name" | "company_id">,
  { id, name, email }: Invited,
) {
  const { now, publicUrl } = services;
  const company = await db
    .selectFrom("companies")
    .where("id", "=", actor.company_id)
    .select("name")
    .executeTakeFirstOrThrow();
  await db.deleteFrom("tokens").where("user_id", "=", id).where("kind", "=", "invitation").execute();
  await audit(db, { actor, action: "invited", subject: { entity: "user", id, name }, at: now() });
  const token = await issueToken(db, "invitation", id, now());
  const message = invitationMessage({ name, email }, company.name, `${publicUrl}/signup?token=${token}`);
  await enqueueMessage(services, db, message, { userId: id, token, kind: "invitation" });
}
