import { fold } from "#storage/text.ts";
import { hoursInSeconds } from "#units";
import { isAllowed, limitByKey } from "../http/rate-limits.ts";
import { resetMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { issueToken } from "./tokens.ts";

/**
 * Notes that a reset link is asked for, whether or not anybody has the address: looking that up is left for later, so
 * that neither the answer nor its time tells.
 */
export async function requestReset({ db, now, nudgeMail }: Services, email: string) {
  const email_key = fold(email);
  const asked = db.selectFrom("reset_requests").where("email_key", "=", email_key).select("id");
  // One is enough, however often it is asked before the job runs.
  if (!(await asked.executeTakeFirst())) {
    await db.insertInto("reset_requests").values({ email_key, at: now().toISOString() }).execute();
  }
  nudgeMail();
}

/** How many requests are looked up at a time. */
const batchSize = 100;

/** Writes the reset links that were asked for to those whose addresses they are; requests of others are dropped. */
export function createResetSender(services: Services) {
  const { db } = services;
  // As many messages an hour as a link is valid: who can't get another has one that works.
  const limit = limitByKey(services, ["reset_messages", 3, hoursInSeconds(1)]);
  const asked = () =>
    db.selectFrom("reset_requests").select(["id", "email_key"]).orderBy("id").limit(batchSize).execute();

  return async function sendResetLinks(signal: AbortSignal) {
    for (let requests = await asked(); requests.length > 0 && !signal.aborted; requests = await asked()) {
      for (const { id, email_key } of requests) {
        const user = await userWith(db, email_key);
        // Counted before the transaction, which must not wait for another connection.
        const isAllowedNow = user && (await isAllowed(() => limit.count(String(user.id))));
        await writeReset(services, id, isAllowedNow ? user : undefined);
      }
    }
  };
}

const userWith = (db: Services["db"], email_key: string) =>
  db
    .selectFrom("users")
    .where("email_key", "=", email_key)
    .where("active", "=", 1)
    .select(["id", "name", "email"])
    .executeTakeFirst();

async function writeReset(
  services: Services,
  requestId: number,
  user: { id: number; name: string; email: string } | undefined,
) {
  const { db, now, publicUrl } = services;
  await db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom("reset_requests")
      .where("id", "=", requestId)
      .executeTakeFirst();
    if (!user || numDeletedRows === 0n) return;
    const token = await issueToken(transaction, "reset", user.id, now());
    const message = resetMessage(user, `${publicUrl}/signup?token=${token}`);
    await enqueueMessage(services, transaction, message, { userId: user.id, token, kind: "reset" });
  });
}
