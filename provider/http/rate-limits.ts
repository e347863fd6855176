import { hash } from "node:crypto";
import { startAtZero } from "#lib/metric-kinds.ts";
import { metrics } from "#lib/metrics.ts";
import type { Limiter } from "#lib/storage/limits/limiters.ts";
import { type Networks, widestOf } from "#lib/storage/limits/networks.ts";
import { secondsInMs } from "#lib/units.ts";
import { HttpError, tooManyRequests } from "./errors.ts";
import { type LimitName, limits } from "./limits.ts";
import type { Quota } from "./quota.ts";
import type { Services } from "../services.ts";

/** Rate limits, which refuse with 429. All are made here, so that none counts by a client's full address. */

const queues = ["login_delay", "hashing", "password_strength"];
startAtZero(metrics.attemptsRefused, { limit: [...Object.keys(limits), ...queues] });

/** A limit for each key, such as an account, session or document. */
export type Limit = {
  /** Counts an attempt and returns what is left; throws 429 if there were too many. */
  count(key: string): Promise<Quota>;
  /** Uncounts an attempt. */
  refund(key: string): Promise<void>;
  /** Sets a key's count to zero. */
  reset(key: string): Promise<void>;
};

/** `message` begins the refusal, as in “Too many attempts. Try again in 5 minutes.” */
export function limitByKey({ limiter }: Pick<Services, "limiter">, rule: Rule, message?: string): Limit {
  const counter = limiter(...valuesOf(rule));
  return {
    count: (key) => consume(counter, key, { message }),
    refund: async (key) => void (await counter.reward(hashKey(key))),
    reset: async (key) => void (await counter.delete(hashKey(key))),
  };
}

/** A limit for each client's network and higher ones for the networks around it, for each `account` if one is given. */
export type NetworkLimit = {
  /** Counts a request in each of its networks; one that the nearest refuses does not count in the wider ones. */
  count(networks: Networks, account?: string): Promise<Quota>;
  refund(networks: Networks, account?: string): Promise<void>;
  /** Sets the nearest network's count to zero and uncounts one attempt in the wider ones. */
  reset(networks: Networks, account?: string): Promise<void>;
};

export function limitByNetwork({ limiter }: Pick<Services, "limiter">, rule: Rule, message?: string): NetworkLimit {
  const [name, points, seconds] = valuesOf(rule);
  const counters = new Map<number, Limiter>();
  const counterOf = (factor: number) => {
    const counter = counters.get(factor) ?? limiter(name, points * factor, seconds);
    counters.set(factor, counter);
    return counter;
  };
  const countersOf = ({ nearest, wider }: Networks, account: string) =>
    [{ prefix: nearest, factor: 1 }, ...wider].map(({ prefix, factor }) => ({
      counter: counterOf(factor),
      key: `${account} ${prefix}`,
    }));
  return {
    async count(networks, account = "") {
      const quotas: Quota[] = [];
      for (const { counter, key } of countersOf(networks, account))
        quotas.push(await consume(counter, key, { message }));
      return quotas.reduce((least, quota) => (quota.remaining < least.remaining ? quota : least));
    },
    async refund(networks, account = "") {
      for (const { counter, key } of countersOf(networks, account)) await counter.reward(hashKey(key));
    },
    async reset(networks, account = "") {
      const [nearest, ...wider] = countersOf(networks, account);
      await nearest!.counter.delete(hashKey(nearest!.key));
      for (const { counter, key } of wider) await counter.reward(hashKey(key));
    },
  };
}

/**
 * A limit for each key whatever the client's network. Half of it is reserved for networks that are new to the key, so
 * that a flood from some leaves room for others.
 */
export function limitWithReserve({ limiter }: Pick<Services, "limiter">, rule: Rule, message?: string) {
  const [name, points, seconds] = valuesOf(rule);
  const [firsts, reserve, rest] = [
    limiter(`${name}_first`, 1, seconds),
    limiter(`${name}_reserve`, Math.ceil(points / 2), seconds),
    limiter(name, Math.floor(points / 2), seconds),
  ];
  return {
    async count(key: string, networks: Networks) {
      const isFirst = await isAllowed(() => consume(firsts, `${key} ${widestOf(networks)}`, { isRefusal: false }));
      if (isFirst && (await isAllowed(() => consume(reserve, key, { isRefusal: false })))) return;
      await consume(rest, key, { message });
    },
  };
}

/** A limit of the table; or its name in metrics and logs, the attempts in its window, and the window in seconds. */
type Rule = LimitName | [name: string, points: number, seconds: number];

function valuesOf(rule: Rule): Exclude<Rule, string> {
  if (typeof rule !== "string") return rule;
  const [points, seconds] = limits[rule];
  return [rule, points, seconds];
}

/** Of fixed length, as the database's keys are bounded, and without anything that users typed. */
const hashKey = (key: string) => hash("sha256", key, "base64url");

/** `isRefusal` is false if exceeding the limit does not refuse the request. */
type Consuming = { message?: string | undefined; isRefusal?: boolean };

async function consume(counter: Limiter, key: string, { message, isRefusal = true }: Consuming = {}): Promise<Quota> {
  try {
    return quotaOf(counter, await counter.consume(hashKey(key)));
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const refused = refusal as Left & { consumedPoints: number };
    const limit = counter.keyPrefix;
    const quota = quotaOf(counter, refused);
    if (isRefusal) metrics.attemptsRefused.inc({ limit });
    // One log line for each exceeded window.
    const isLogged = isRefusal && refused.consumedPoints === counter.points + 1;
    throw tooManyRequests(quota.resetSeconds, { message, limit: isLogged ? limit : undefined, quota });
  }
}

type Left = { msBeforeNext: number; remainingPoints: number };

const quotaOf = (counter: Limiter, { msBeforeNext, remainingPoints }: Left): Quota => ({
  name: counter.keyPrefix,
  points: counter.points,
  seconds: counter.duration,
  remaining: remainingPoints,
  resetSeconds: Math.ceil(msBeforeNext / secondsInMs(1)),
});

/** Counts an attempt without refusing it. Returns the attempts within the window. */
export async function countAttempt(counter: Limiter, key: string): Promise<number> {
  return (await counter.penalty(hashKey(key))).consumedPoints;
}

/** Undoes `countAttempt`. */
export const uncountAttempt = async (counter: Limiter, key: string) => void (await counter.reward(hashKey(key)));

/** Whether counting stays within the limits; rethrows other errors. */
export async function isAllowed(count: () => Promise<unknown>): Promise<boolean> {
  try {
    await count();
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
