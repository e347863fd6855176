import { type Actor, mayCall } from "../access.ts";
import type { Origin } from "../audit/access-trail.ts";
import type { Call } from "../contract/call.ts";
import type { Services } from "../services.ts";
import { requireSteps } from "../sessions/proof.ts";
import { actorOf } from "../sessions/tokens.ts";
import { forbidden, type HttpError, unauthorized } from "./errors.ts";

/** The client of a request, as far as authorization needs to know it. */
export type Client = {
  isApi?: boolean | undefined;
  onUser?: ((id: number) => void) | undefined;
  actorCache?: Map<string, Actor | undefined> | undefined;
  origin(): Origin;
};

export function createAuthorizer({ db, now, access }: Services) {
  const audited = new WeakSet<HttpError>();

  async function actorForToken(token: string, cache = new Map<string, Actor | undefined>()) {
    if (!cache.has(token)) cache.set(token, await actorOf(db, token, now()));
    return cache.get(token);
  }

  /** Records in the audit trail, once, that a user lacks a right. Pages try reads that not every user may make. */
  function auditRefusal(refusal: HttpError, { id, name, company_id }: Actor, call: Call, client: Client) {
    const { method, path, summary } = call;
    if (audited.has(refusal) || (method === "GET" && !client.isApi)) return;
    audited.add(refusal);
    const subject = { entity: "request", id: 0, name: summary.split(/[:;]/)[0]! } as const;
    const origin = client.origin();
    const within = `${method} ${path} ${origin.network}`;
    const entry = { company_id, actor: { id, name }, subject, userId: id, within };
    access.record({ ...entry, action: "access refused", ...origin });
  }

  return {
    auditRefusal,

    /** The signed-in user of a call; undefined for public ones. Throws 401 or 403 where they may not make it. */
    async authorize(call: Call, token: string | undefined, client: Client): Promise<Actor | undefined> {
      if (call.access === "public") return undefined;
      const actor = token ? await actorForToken(token, client.actorCache) : undefined;
      if (!actor) throw unauthorized();
      client.onUser?.(actor.id);
      if (mayCall(call.access, actor)) {
        requireSteps(call, actor, now());
        return actor;
      }
      const refusal = forbidden();
      auditRefusal(refusal, actor, call, client);
      throw refusal;
    },
  };
}
