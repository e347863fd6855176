import { LRUCache } from "lru-cache";
import type { CallName } from "#provider/contract/calls.ts";
import { minutesInMs } from "#lib/units.ts";

export const learnedForMs = minutesInMs(5);

/** Calls that the provider did not have when they were made last, for longer than until they are tried again. */
const lacking = new LRUCache<CallName, true>({ max: 200, ttl: 2 * learnedForMs });

export const noteLacking = (name: CallName) => void lacking.set(name, true);
export const noteOffered = (name: CallName) => void lacking.delete(name);
export const isLacking = (name: CallName) => lacking.has(name);

let lossyAt = Number.NEGATIVE_INFINITY;

/** Notes that a part of a reply could not be understood, and is left out of a page. */
export const noteLoss = () => void (lossyAt = Date.now());
export const wasLossy = () => Date.now() - lossyAt < learnedForMs;
