import type { CurrentUser } from "#provider/contract/users.ts";

/** What a provider offers beyond the specification's ten calls. */
export type Offers = {
  /** Whether it filters, sorts and pages lists; others return whole lists. */
  lists: boolean;
  alerts: boolean;
  map: boolean;
  audit: boolean;
  readers: boolean;
  tariffs: boolean;
};

/** Only a full provider counts what the company uses. */
export function offersOf({ usage, plan }: Pick<CurrentUser, "usage" | "plan">): Offers {
  const isFull = usage !== undefined;
  return { lists: isFull, alerts: isFull, map: isFull, audit: isFull, readers: isFull, tariffs: plan !== undefined };
}
