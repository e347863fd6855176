import { availableParallelism } from "node:os";
import argon2 from "@node-rs/argon2";
import { metrics, watchHashing } from "#metrics";
import { busy } from "../http/refused.ts";
import { createTurns, type Turn } from "#storage/turns.ts";

/**
 * How many passwords are hashed at once in this process: two, or one where that leaves no processor to pages. Each takes
 * one of the four threads that files and compression need as well.
 */
export const hashedAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));

/** How many wait for that, of each kind. The web app lets fewer sign-ins come at once (`app/server/process/admission.ts`). */
export const mostWaiting = 100;

const { inTurn, waiting } = createTurns({
  atOnce: hashedAtOnce,
  mostWaiting,
  refuse() {
    metrics.attemptsRefused.inc({ limit: "hashing" });
    return busy("Too many passwords are being checked just now. Nothing was changed. Try again in a few seconds.", 3);
  },
});
watchHashing(waiting);

/**
 * Hashes with argon2id in the library's own measure (19 MiB, two passes), as OWASP advises. Rejects with 503 where too
 * many wait, or the wait is aborted.
 */
export const hashPassword = (password: string, turn: Turn = { isFirst: true }) =>
  inTurn(() => argon2.hash(password.normalize("NFKC")), turn);

/** Of a random text that was thrown away: takes the same time as a user's, so that the clock doesn't tell who exists. */
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$tXLe1SZB8Cbk4gYmx+2LQg$bvqQV2z/PWcqWSUuqZmfZBZRCXkrOhkWuq55UXWFVNQ";

/** Whether the password is right. Without a hash (no such user) it never is, and takes as long to say so. */
export async function isRightPassword(
  passwordHash: string | null | undefined,
  password: string,
  turn: Turn = { isFirst: true },
): Promise<boolean> {
  const isRight = await inTurn(() => argon2.verify(passwordHash ?? decoy, password.normalize("NFKC")), turn);
  return isRight && Boolean(passwordHash);
}
