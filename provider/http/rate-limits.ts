import { createHash } from "node:crypto";
import { metrics } from "#metrics";
import type { Limiter } from "#storage/limiters.ts";
import { type Networks, widestOf } from "#storage/networks.ts";
import { HttpError, tooManyRequests } from "./errors.ts";
import type { Services } from "../services.ts";

/** Rate limits, which refuse with 429. Each is made here, so that none counts by an address as it came. */

/** A limit for each key: an account, a session, a document. */
export type Limit = {
  /** Counts an attempt, and refuses it where there were too many. */
  count(key: string): Promise<void>;
  /** Takes back one that shall not count. */
  giveBack(key: string): Promise<void>;
  /** Begins a key's count anew. */
  forget(key: string): Promise<void>;
};

/** `words` begin the refusal, as in “Too many attempts. Try again in 5 minutes.” */
export function limitByKey({ limiter }: Pick<Services, "limiter">, rule: Rule, words?: string): Limit {
  const counter = limiter(...rule);
  return {
    count: (key) => consume(counter, key, { words }),
    giveBack: async (key) => void (await counter.reward(hashKey(key))),
    forget: async (key) => void (await counter.delete(hashKey(key))),
  };
}

/** A limit for each client's network, and higher ones for the networks around it; within `about` where that is given. */
export type NetworkLimit = {
  /** Counts a request in each of its networks. One that the nearest refuses does not count in the wider ones. */
  count(networks: Networks, about?: string): Promise<void>;
  giveBack(networks: Networks, about?: string): Promise<void>;
  /** Begins the nearest network's count anew, and takes one back from the wider ones. */
  forget(networks: Networks, about?: string): Promise<void>;
};

export function limitByNetwork({ limiter }: Pick<Services, "limiter">, [name, points, seconds]: Rule): NetworkLimit {
  const counters = new Map<number, Limiter>();
  const counterOf = (factor: number) => {
    const counter = counters.get(factor) ?? limiter(name, points * factor, seconds);
    counters.set(factor, counter);
    return counter;
  };
  const countersOf = ({ nearest, wider }: Networks, about: string) =>
    [{ prefix: nearest, factor: 1 }, ...wider].map(({ prefix, factor }) => ({
      counter: counterOf(factor),
      key: `${about} ${prefix}`,
    }));
  return {
    async count(networks, about = "") {
      for (const { counter, key } of countersOf(networks, about)) await consume(counter, key);
    },
    async giveBack(networks, about = "") {
      for (const { counter, key } of countersOf(networks, about)) await counter.reward(hashKey(key));
    },
    async forget(networks, about = "") {
      const [nearest, ...wider] = countersOf(networks, about);
      await nearest!.counter.delete(hashKey(nearest!.key));
      for (const { counter, key } of wider) await counter.reward(hashKey(key));
    },
  };
}

/**
 * A limit for each key whoever sends, of which one half is for clients whose network has not come with this key before:
 * a flood from some networks leaves room for everyone else.
 */
export function limitWithReserve({ limiter }: Pick<Services, "limiter">, [name, points, seconds]: Rule) {
  const [firsts, reserve, rest] = [
    limiter(`${name}_first`, 1, seconds),
    limiter(`${name}_reserve`, Math.ceil(points / 2), seconds),
    limiter(name, Math.floor(points / 2), seconds),
  ];
  return {
    async count(key: string, networks: Networks) {
      const isFirst = await isAllowed(() => consume(firsts, `${key} ${widestOf(networks)}`, { isRefusal: false }));
      if (isFirst && (await isAllowed(() => consume(reserve, key, { isRefusal: false })))) return;
      await consume(rest, key);
    },
  };
}

/** A limit's name in figures and logs, the most in its window, and the window in seconds. */
type Rule = [name: string, points: number, seconds: number];

/** Of fixed length, as the database's keys are bounded; and nothing that was typed is stored in it. */
const hashKey = (key: string) => createHash("sha256").update(key).digest("base64url");

/** `isRefusal` is false where reaching the limit does not refuse a request by itself. */
type Consuming = { words?: string | undefined; isRefusal?: boolean };

async function consume(counter: Limiter, key: string, { words, isRefusal = true }: Consuming = {}) {
  try {
    await counter.consume(hashKey(key));
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext, consumedPoints } = refusal as { msBeforeNext: number; consumedPoints: number };
    const limit = counter.keyPrefix;
    if (isRefusal) metrics.attemptsRefused.inc({ limit });
    // The first refusal is logged, and none of those that follow it.
    const isLogged = isRefusal && consumedPoints === counter.points + 1;
    throw tooManyRequests(Math.ceil(msBeforeNext / 1000), { words, limit: isLogged ? limit : undefined });
  }
}

/** How often a key has come within a limit's time, this one included; refuses nothing. */
export async function countAttempt(counter: Limiter, key: string): Promise<number> {
  return (await counter.penalty(hashKey(key))).consumedPoints;
}

/** The counterpart of `countAttempt` for what shall not count. */
export const uncountAttempt = async (counter: Limiter, key: string) => void (await counter.reward(hashKey(key)));

/** Whether limits allow it; other errors are thrown on. */
export async function isAllowed(count: () => Promise<void>): Promise<boolean> {
  try {
    await count();
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
