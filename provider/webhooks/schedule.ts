import { daysInMs, hoursInMs, minutesInMs, secondsInMs } from "#lib/units.ts";
import { tryingDays } from "../contract/webhook-events.ts";

/** When a delivery that failed is tried again. */

const delaysMs = [
  secondsInMs(30),
  minutesInMs(5),
  minutesInMs(30),
  hoursInMs(2),
  hoursInMs(5),
  hoursInMs(10),
  hoursInMs(14),
  hoursInMs(20),
];

const tryingMs = daysInMs(tryingDays);
/** A receiver can ask for a longer pause, but gets no longer one. */
const maxPauseMs = hoursInMs(12);

type Failed = { begun_at: string; attempts: number };

/**
 * The next attempt after `attempts` of them, with a jitter of a fifth; the last one is when the three days end. Undefined
 * if they have ended. `random` is from 0 to 1.
 */
export function nextAttempt({ begun_at, attempts }: Failed, now: Date, random = Math.random()): Date | undefined {
  const end = Date.parse(begun_at) + tryingMs;
  if (now.getTime() >= end) return undefined;
  const delay = (delaysMs[attempts - 1] ?? delaysMs.at(-1)!) * (0.8 + random * 0.4);
  return new Date(Math.min(now.getTime() + delay, end));
}

/** From so many failed attempts in a row on, a webhook pauses, so that thousands of deliveries are not tried for nothing. */
const pausesMs = [
  { failures: 30, ms: minutesInMs(15) },
  { failures: 20, ms: minutesInMs(5) },
  { failures: 10, ms: minutesInMs(1) },
];

/** How long nothing is sent to a webhook after its last attempts have failed; 0 for no pause. */
export const pauseAfter = (failures: number): number => pausesMs.find((pause) => failures >= pause.failures)?.ms ?? 0;

/** How long a receiver asks for a pause (RFC 9110, `Retry-After`: seconds or a date); 0 for none or an unreadable one. */
export function pauseMs(header: string | undefined, now: Date): number {
  if (!header) return 0;
  const ms = /^\d{1,10}$/.test(header) ? secondsInMs(Number(header)) : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxPauseMs);
}
