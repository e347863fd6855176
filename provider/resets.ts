import { fold } from "#storage/database.ts";
import { resetMessage } from "./mail/messages.ts";
import { post } from "./mail/outbox.ts";
import type { Services } from "./services.ts";
import { issueToken } from "./tokens.ts";

/**
 * Notes that a reset link is asked for, whether or not anybody has the address: looking that up is left for later, so
 * that neither the answer nor its time tells.
 */
export async function askForReset({ db, now, nudgeMail }: Services, email: string) {
  await db
    .insertInto("reset_requests")
    .values({ email_key: fold(email), at: now().toISOString() })
    .execute();
  nudgeMail();
}

/** How many requests are looked up at a time. */
const batch = 100;

/** Writes the reset links that were asked for to those whose addresses they are; requests of others are dropped. */
export async function writeResets(services: Services, signal: AbortSignal) {
  const asked = () => services.db.selectFrom("reset_requests").select("id").orderBy("id").limit(batch).execute();
  for (let ids = await asked(); ids.length > 0 && !signal.aborted; ids = await asked()) {
    for (const { id } of ids) await writeReset(services, id);
  }
}

async function writeReset(services: Services, id: number) {
  const { db, now, publicUrl } = services;
  await db.transaction().execute(async (transaction) => {
    const taken = transaction.deleteFrom("reset_requests").where("id", "=", id);
    const request = await taken.returning("email_key").executeTakeFirst();
    if (!request) return;
    const user = await transaction
      .selectFrom("users")
      .where("email_key", "=", request.email_key)
      .where("active", "=", 1)
      .select(["id", "name", "email"])
      .executeTakeFirst();
    if (!user) return;
    const token = await issueToken(transaction, "reset", user.id, now());
    const message = resetMessage(user, `${publicUrl}/signup?token=${token}`);
    await post(services, transaction, message, { userId: user.id, token });
  });
}
