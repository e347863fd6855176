import { fold } from "#storage/text.ts";
import { inTurns } from "#turns";
import { hoursInSeconds } from "#units";
import { yes } from "../db/flags.ts";
import { isAllowed, limitByKey } from "../http/rate-limits.ts";
import { passwordsOffMessage, resetMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";
import { issueToken } from "./tokens.ts";

/** Queues a reset request. A job looks the address up later, so that neither the reply nor its time reveals accounts. */
export async function requestReset({ db, now, nudgeMail }: Services, email: string) {
  const email_key = fold(email);
  const queued = db.selectFrom("reset_requests").where("email_key", "=", email_key).select("id");
  if (!(await queued.executeTakeFirst())) {
    await db.insertInto("reset_requests").values({ email_key, at: now().toISOString() }).execute();
  }
  nudgeMail();
}

const batchSize = 100;

/** Returns the job that sends reset links to users; it drops requests for unknown addresses. */
export function createResetSender(services: Services) {
  const { db } = services;
  // A link is valid for an hour, so a user at the limit has one that works.
  const limit = limitByKey(services, ["reset_messages", 3, hoursInSeconds(1)]);
  const nextBatch = () =>
    db.selectFrom("reset_requests").select(["id", "email_key"]).orderBy("id").limit(batchSize).execute();

  return async function sendResetLinks(signal: AbortSignal) {
    for (let requests = await nextBatch(); requests.length > 0 && !signal.aborted; requests = await nextBatch()) {
      for await (const { id, email_key } of inTurns(requests)) {
        const user = await userWith(db, email_key);
        // Outside the transaction, which must not wait for another connection.
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
    .where("active", "=", yes)
    .select(["id", "name", "email", "company_id"])
    .executeTakeFirst();

async function writeReset(
  services: Services,
  requestId: number,
  user: { id: number; name: string; email: string; company_id: number } | undefined,
) {
  const { db, now, publicUrl } = services;
  const sole = user && (await soleSignInAddress(services, user.company_id));
  await db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom("reset_requests")
      .where("id", "=", requestId)
      .executeTakeFirst();
    if (!user || numDeletedRows === 0n) return;
    if (sole) {
      const message = passwordsOffMessage(user, sole);
      await enqueueMessage(services, transaction, message, { userId: user.id, kind: "reset" });
      return;
    }
    const token = await issueToken(transaction, "reset", user.id, now());
    const message = resetMessage(user, `${publicUrl}/signup?token=${token}`);
    await enqueueMessage(services, transaction, message, { userId: user.id, token, kind: "reset" });
  });
}
