import { settings } from "./settings.ts";

/** Whether the nth of `of` shares runs today; all do unless the run is limited to today's share. */
export const isInTodaysShare = (n: number, of: number) => !settings.runsTodaysShare || (settings.day + n) % of === 0;

/** Returns today's of `of` shares of a list. */
export const todaysShare = <T>(list: readonly T[], of: number): T[] => list.filter((_, n) => isInTodaysShare(n, of));

/** Returns all of a list where tests are thorough, else a share of it that changes with the date. */
export const allIfThorough = <T>(list: readonly T[], of: number): T[] =>
  list.filter((_, n) => settings.isThorough || (settings.day + n) % of === 0);
