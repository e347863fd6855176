import { createHash } from "node:crypto";
import { figures } from "#metrics";
import { tooMany } from "./refused.ts";
import type { Services } from "./services.ts";

/** Counting attempts, so that nobody can guess for long. */

type Attempts = ReturnType<Services["limiter"]>;

/** The time over which attempts are counted, in seconds. */
export const quarterHour = 15 * 60;

/** However long it was: the database's keys are not. Nothing that was typed is kept in them, either. */
const keyOf = (key: string) => createHash("sha256").update(key).digest("base64url");

/** Counts an attempt; refuses it where there were too many. */
export async function countAttempt(attempts: Attempts, key: string) {
  try {
    await attempts.consume(keyOf(key));
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext, consumedPoints } = refusal as { msBeforeNext: number; consumedPoints: number };
    const limit = attempts.keyPrefix;
    figures.attemptsRefused.inc({ limit });
    // The first refusal is told, and none of those that follow it.
    throw tooMany(Math.ceil(msBeforeNext / 1000), consumedPoints === attempts.points + 1 ? limit : undefined);
  }
}

/** After one that was right: this one does not count. */
export const returnAttempt = (attempts: Attempts, key: string) => attempts.reward(keyOf(key));

/** After one that was right: none of those before count any more. */
export const forgetAttempts = (attempts: Attempts, key: string) => attempts.delete(keyOf(key));
