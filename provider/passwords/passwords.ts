import { availableParallelism } from "node:os";
import argon2 from "@node-rs/argon2";
import { watch } from "#lib/metric-sources.ts";
import { metrics } from "#lib/metrics.ts";
import { serviceUnavailable } from "../http/errors.ts";
import { createWorkQueue, type QueueOptions } from "#lib/storage/limits/work-queue.ts";

/** Two, or one on a single processor: each takes one of the four threads that files and compression share. */
export const maxConcurrentHashes = Math.max(1, Math.min(2, availableParallelism() - 1));

/** The queue's length. The web app admits fewer sign-ins at once (`app/server/process/admission.ts`). */
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
watch("hashes waiting", waiting);

/** Hashes with argon2id (19 MiB, two passes), as OWASP advises. Rejects with 503 if too many wait. */
export const hashPassword = (password: string, turn: QueueOptions = { isFirst: true }) =>
  inTurn(() => argon2.hash(password.normalize("NFKC")), turn);

/** The hash of a discarded random text: unknown users take as long as known ones. */
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$tXLe1SZB8Cbk4gYmx+2LQg$bvqQV2z/PWcqWSUuqZmfZBZRCXkrOhkWuq55UXWFVNQ";

/** In place of a hash, for users who joined by single sign-on: no password is right, and they can reset it. */
export const noPassword = "!";

/** Whether a password is right; never without a hash (no such user), which takes as long. */
export async function isRightPassword(
  passwordHash: string | null | undefined,
  password: string,
  turn: QueueOptions = { isFirst: true },
): Promise<boolean> {
  const hash = passwordHash === noPassword ? null : passwordHash;
  const isRight = await inTurn(() => argon2.verify(hash ?? dummyHash, password.normalize("NFKC")), turn);
  return isRight && Boolean(hash);
}
