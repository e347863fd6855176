import type { Requester } from "#page-files/requesters.ts";
import type { Actor } from "../access.ts";

/** Requesters of page work. */

/** For a company, which is one tenant whatever it is for. */
export const companyRequester = (id: number, priority: Requester["priority"], signal?: AbortSignal): Requester => ({
  tenant: `company ${id}`,
  priority,
  signal,
});

/** For an actor who waits for it, until the signal says that the request was given up. */
export const actorRequester = ({ company_id }: Pick<Actor, "company_id">, signal?: AbortSignal): Requester =>
  companyRequester(company_id, "staff", signal);
