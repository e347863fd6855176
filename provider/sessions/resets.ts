import { foldEmail } from "#lib/text.ts";
import { isAllowed, limitByKey } from "../http/rate-limits.ts";
import { passwordsOffMessage, resetMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { soleSignInLink } from "../users/invite.ts";
import { usersWithEmail } from "../users/ownership.ts";
import { issueToken } from "./tokens.ts";

/** Queues a reset request. A job looks the address up later, so that neither the reply nor its time reveals accounts. */
export async function requestReset({ db, now, nudgeMail }: Services, email: string) {
  const email_key = foldEmail(email);
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
  const limit = limitByKey(services, "reset_messages");
  const nextBatch = () =>
    db.selectFrom("reset_requests").select(["id", "email_key"]).orderBy("id").limit(batchSize).execute();

  return async function sendResetLinks(signal: AbortSignal) {
    for (let requests = await nextBatch(); requests.length > 0 && !signal.aborted; requests = await nextBatch()) {
      for (const { id, email_key } of requests) {
        const allowed: Requester[] = [];
        // Outside the transaction, which must not wait for another connection.
        for (const user of await usersWith(db, email_key)) {
          if (await isAllowed(() => limit.count(String(user.id)))) allowed.push(user);
        }
        await writeResets(services, id, allowed);
      }
    }
  };
}

type Requester = { id: number; name: string; email: string; company_id: number; company: string };

/** The user who proved the address, or else the users of all companies that entered it. */
async function usersWith(db: Services["db"], email_key: string): Promise<Requester[]> {
  const users = await usersWithEmail(db, email_key)
    .innerJoin("companies", "companies.id", "users.company_id")
    .select(["users.id", "users.name", "users.email", "users.company_id", "companies.name as company", "email_proved"])
    .execute();
  return users[0]?.email_proved === 1 ? users.slice(0, 1) : users;
}

async function writeResets(services: Services, requestId: number, users: Requester[]) {
  const { db, now, publicUrl } = services;
  await db.transaction().execute(async (transaction) => {
    const request = transaction.deleteFrom("reset_requests").where("id", "=", requestId);
    if ((await request.executeTakeFirst()).numDeletedRows === 0n) return;
    for (const user of users) {
      const sole = await soleSignInLink({ ...services, db: transaction }, user);
      const token = sole ? sole.token : await issueToken(transaction, "reset", user.id, now());
      const message = sole
        ? passwordsOffMessage(user, sole.link)
        : resetMessage(user, `${publicUrl}/signup?token=${token}`);
      await enqueueMessage(services, transaction, message, { userId: user.id, token, kind: "reset" });
    }
  });
}
