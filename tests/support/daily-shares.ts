import { environment } from "#config";

/**
 * `npm test` (`TESTS=today`) takes ten minutes: of what differs in one thing from another test, or takes long and rarely
 * breaks, it runs a share that changes with the date (UTC). Every other command runs everything.
 */
const isWhole = environment.TESTS !== "today" || environment.THOROUGH === "1";

// Workers inherit the day that the run began on.
environment.TESTS_DAY ??= String(Math.floor(Date.now() / 86_400_000));

/** Whether the nth of `of` shares is run today. */
export const isInTodaysShare = (n: number, of: number) => isWhole || (Number(environment.TESTS_DAY) + n) % of === 0;

/** One of `of` shares of a list. */
export const todaysShare = <T>(list: readonly T[], of: number): T[] => list.filter((_, n) => isInTodaysShare(n, of));
