import { metrics } from "#lib/metrics.ts";
import { minutesInSeconds, secondsInMs } from "#lib/units.ts";
import { countAttempt, uncountAttempt } from "../http/rate-limits.ts";
import { serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/**
 * Delays sign-ins to an account with many attempts, from whatever networks. Within its queue it refuses none, so that
 * unauthenticated clients can't lock the user out.
 */

/** Attempts in a quarter of an hour without delay: as many as one network has. */
const undelayed = 10;
/** Each delay is twice the one before. */
const [minDelayMs, maxDelayMs] = [250, secondsInMs(4)];
const [maxPerAccount, maxWaiting] = [10, 200];

/** The delay of the `count`th attempt within the quarter of an hour. */
export const delayMs = (count: number): number =>
  count <= undelayed ? 0 : Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(count - undelayed - 1, 10));

type Waiting = { signal: AbortSignal; onWait(): void };

export function createSlowDown({ limiter, wait }: Pick<Services, "limiter" | "wait">) {
  const counter = limiter("login_frequency", Number.MAX_SAFE_INTEGER, minutesInSeconds(15));
  const waiting = new Map<string, number>();
  let waitingInAll = 0;

  async function waitTurn(account: string, waitMs: number, { signal, onWait }: Waiting) {
    const beside = waiting.get(account) ?? 0;
    if (beside >= maxPerAccount || waitingInAll >= maxWaiting) {
      metrics.attemptsRefused.inc({ limit: "login_delay" });
      throw serviceUnavailable(
        "Too many sign-ins to this account just now. Try again in a few seconds.",
        maxDelayMs / secondsInMs(1),
      );
    }
    metrics.attemptsDelayed.inc();
    waiting.set(account, beside + 1);
    waitingInAll++;
    onWait();
    try {
      await wait(waitMs, signal);
    } catch (error) {
      throw signal.aborted ? serviceUnavailable("The request was aborted.", 1) : error;
    } finally {
      waitingInAll--;
      const remaining = waiting.get(account)! - 1;
      if (remaining > 0) waiting.set(account, remaining);
      else waiting.delete(account);
    }
  }

  return {
    /** Counts an attempt at an account, and resolves after its delay. Throws 503 if too many wait. */
    async delay(account: string, waiting: Waiting) {
      const waitMs = delayMs(await countAttempt(counter, account));
      if (waitMs > 0) await waitTurn(account, waitMs, waiting);
    },
    /** Uncounts an attempt with the right password. */
    refund: (account: string) => uncountAttempt(counter, account),
  };
}
