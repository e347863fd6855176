import { metrics } from "#metrics";
import { frequencyOf, quarterHour, uncount } from "../http/attempts.ts";
import { busy } from "../http/refused.ts";
import type { Services } from "../services.ts";

/**
 * Slows sign-ins down that come often at one account, from whatever networks. It refuses nobody for what others did:
 * each is answered after some seconds, as long as no more wait than there is room for.
 */

/** How many attempts in a quarter of an hour are answered at once: as many as one network has. */
const free = 10;
/** The first delay and the longest, in milliseconds; each is twice the one before. */
const [shortest, longest] = [250, 4000];
/** How many wait at one account, and in this process. */
const [mostAtAccount, most] = [10, 200];

/** How long the attempt waits that is the `count`th within the quarter of an hour, in milliseconds. */
export const delayOf = (count: number): number =>
  count <= free ? 0 : Math.min(longest, shortest * 2 ** Math.min(count - free - 1, 10));

type Waiting = { signal: AbortSignal; noteWait(): void };

export function createSlowDown({ limiter, wait }: Pick<Services, "limiter" | "wait">) {
  const counter = limiter("login_frequency", Number.MAX_SAFE_INTEGER, quarterHour);
  const waiting = new Map<string, number>();
  let waitingInAll = 0;

  async function hold(account: string, delay: number, { signal, noteWait }: Waiting) {
    const beside = waiting.get(account) ?? 0;
    if (beside >= mostAtAccount || waitingInAll >= most) {
      metrics.attemptsRefused.inc({ limit: "login_delay" });
      throw busy("Too many are signing in to this account just now. Try again in a few seconds.", longest / 1000);
    }
    metrics.attemptsDelayed.inc();
    waiting.set(account, beside + 1);
    waitingInAll++;
    noteWait();
    try {
      await wait(delay, signal);
    } catch (error) {
      throw signal.aborted ? busy("The request was aborted.", 1) : error;
    } finally {
      waitingInAll--;
      const left = waiting.get(account)! - 1;
      if (left > 0) waiting.set(account, left);
      else waiting.delete(account);
    }
  }

  return {
    /** Counts an attempt at an account, and resolves when it may go on. */
    async pass(account: string, waiting: Waiting) {
      const delay = delayOf(await frequencyOf(counter, account));
      if (delay > 0) await hold(account, delay, waiting);
    },
    /** Takes an attempt back that was right. */
    giveBack: (account: string) => uncount(counter, account),
  };
}
