import { availableParallelism } from "node:os";
import argon2 from "@node-rs/argon2";
import { metrics, watchHashing } from "#metrics";
import { serviceUnavailable } from "../http/errors.ts";
import { createWorkQueue, type QueueOptions } from "#storage/work-queue.ts";

/**
 * How many passwords are hashed at once in this process: two, or one where that leaves no processor to pages. Each takes
 * one of the four threads that files and compression need as well.
 */
export const maxConcurrentHashes = Math.max(1, Math.min(2, availableParallelism() - 1));

/** How many wait for that, of each kind. The web app lets fewer sign-ins come at once (`app/server/process/admission.ts`). */
export const maxQueued = 100;

const { run: inTurn, waiting } = createWorkQueue({
  concurrency: maxConcurrentHashes,
  maxWaiting: maxQueued,
  refuse() {
    metrics.attemptsRefused.inc({ limit: "hashing" });
    return serviceUnavailable(
      "Too many passwords are being checked just now. Nothing was changed. Try again in a few seconds.",
      3,
    );
  },
});
watchHashing(waiting);

/**
 * Hashes with argon2id in the library's own measure (19 MiB, two passes), as OWASP advises. Rejects with 503 where too
 * many wait, or the wait is aborted.
 */
export const hashPassword = (password: string, turn: QueueOptions = { isFirst: true }) =>
  inTurn(() => argon2.hash(password.normalize("NFKC")), turn);

/** Of a random text that was thrown away: takes the same time as a user's, so that the clock doesn't tell who exists. */
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$tXLe1SZB8Cbk4gYmx+2LQg$bvqQV2z/PWcqWSUuqZmfZBZRCXkrOhkWuq55UXWFVNQ";

/** Whether the password is right. Without a hash (no such user) it never is, and takes as long to say so. */
export async function isRightPassword(
  passwordHash: string | null | undefined,
  password: string,
  turn: QueueOptions = { isFirst: true },
): Promise<boolean> {
  const isRight = await inTurn(() => argon2.verify(passwordHash ?? dummyHash, password.normalize("NFKC")), turn);
  return isRight && Boolean(passwordHash);
}
