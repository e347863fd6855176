import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import type { Stores } from "../stores.ts";

/** What a check found, and if all is not well, what to do. */
export type Finding = { state: "ok" | "warn" | "fail"; detail: string; advice?: string };

/** Returns nothing if the installation does not have what it checks. */
export type Check = (settings: Config) => Promise<Finding | undefined>;
export type StoresCheck = (stores: Stores, settings: Config) => Promise<Finding | undefined>;

export const ok = (detail: string): Finding => ({ state: "ok", detail });
export const warn = (detail: string, advice: string): Finding => ({ state: "warn", detail, advice });
export const fail = (detail: string, advice: string): Finding => ({ state: "fail", detail, advice });

const timeoutMs = secondsInMs(15);

/** The result of some work, or a failure with `advice` if it throws or does not end within the timeout. */
export async function attempt<T>(
  work: () => Promise<T>,
  advice: string,
): Promise<{ value: T; failure?: undefined } | { value?: undefined; failure: Finding }> {
  const timeout = async (): Promise<never> => {
    await wait(timeoutMs, undefined, { ref: false });
    throw new Error(`no answer within ${timeoutMs / secondsInMs(1)} seconds`);
  };
  try {
    return { value: await Promise.race([work(), timeout()]) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: fail(message || String(code), advice) };
  }
}
