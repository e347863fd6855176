import type { CurrentUser } from "#provider/contract/users.ts";

/** What a provider offers beyond the specification's ten calls. */
export type Offers = {
  /** Whether it filters, sorts and pages its lists; one that does not answers with the whole list. */
  lists: boolean;
  /** Whether it lists alerts, with the scans behind them, and completes them. */
  alerts: boolean;
  map: boolean;
  audit: boolean;
  /** Whether it lists who can see a document. */
  readers: boolean;
  tariffs: boolean;
};

/** What follows from the reply about the signed-in user: only a full provider counts what the company uses. */
export function offersOf({ usage, plan }: Pick<CurrentUser, "usage" | "plan">): Offers {
  const isFull = usage !== undefined;
  return { lists: isFull, alerts: isFull, map: isFull, audit: isFull, readers: isFull, tariffs: plan !== undefined };
}
