import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { Actor } from "../access.ts";

/** The requester of page work for a company, which is one tenant. */
export const companyRequester = (id: number, priority: Requester["priority"], signal?: AbortSignal): Requester => ({
  tenant: `company ${id}`,
  priority,
  signal,
});

/** The requester of page work for an actor, until the request is aborted. */
export const actorRequester = ({ company_id }: Pick<Actor, "company_id">, signal?: AbortSignal): Requester =>
  companyRequester(company_id, "staff", signal);
