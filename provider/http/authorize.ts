import type { Networks } from "#lib/storage/limits/networks.ts";
import { type Actor, mayCall } from "../access.ts";
import { isKey, isWellFormed } from "../api-keys/key-text.ts";
import { actorOfKey, keyHash, type KeyUse } from "../api-keys/keys.ts";
import type { Origin } from "../audit/access-trail.ts";
import { type Call, keysMay } from "../contract/call.ts";
import { mayBeDirectory } from "../scim/directory.ts";
import type { Services } from "../services.ts";
import { requireSteps } from "../sessions/proof.ts";
import { actorOf } from "../sessions/tokens.ts";
import { forbidden, forbiddenForKey, type HttpError, mistypedKey, unauthorized, unknownKey } from "./errors.ts";
import type { PageCalls } from "./call-request.ts";
import type { Quota } from "./quota.ts";
import { limitByKey, limitByNetwork } from "./rate-limits.ts";

/** The client of a request, as far as authorization needs to know it. */
export type Client = {
  isApi?: boolean | undefined;
  onUser?: ((id: number) => void) | undefined;
  /** Called with the rest of an API key's limit. */
  onQuota?: ((quota: Quota) => void) | undefined;
  page?: PageCalls | undefined;
  origin(): Origin;
  networks(): Networks;
};

type Named = Pick<Call, "summary" | "path"> & { method: string };

export function createAuthorizer(services: Services) {
  const { db, now, access } = services;
  const audited = new WeakSet<HttpError>();
  const ofKey = {
    calls: limitByKey(services, "api_key", "This API key has made too many requests"),
    scim: limitByKey(services, "scim", "This SCIM token has made too many requests"),
  };
  // Keys can't be guessed; this saves the work of trying.
  const unknown = limitByNetwork(services, "api_key_unknown");

  async function actorForToken(token: string, actors: PageCalls["actors"] = new Map()) {
    if (!actors.has(token)) actors.set(token, await actorOf(db, token, now()));
    return actors.get(token);
  }

  /** The user of an API key, whose request is counted. Throws 401 or 429. */
  async function actorForKey(key: string, { networks, onQuota }: Client, use: KeyUse = "calls") {
    if (!isWellFormed(key)) throw mistypedKey();
    const actor = await actorOfKey(db, keyHash(key), now(), use);
    if (!actor) {
      await unknown.count(networks());
      throw unknownKey();
    }
    if (onQuota) onQuota(await ofKey[use].count(String(actor.key!.id)));
    return actor;
  }

  /** Records in the audit trail, once, that a user lacks a right. Pages try reads that not every user may make. */
  function auditRefusal(refusal: HttpError, { id, name, company_id, key }: Actor, call: Named, client: Client) {
    const { method, path, summary } = call;
    if (audited.has(refusal) || (method === "GET" && !client.isApi)) return;
    audited.add(refusal);
    const subject = { entity: "request", id: 0, name: summary.split(/[:;]/)[0]! } as const;
    const origin = client.origin();
    const within = `${method} ${path} ${origin.network}`;
    const entry = { company_id, actor: { id, name, key }, subject, userId: id, within };
    access.record({ ...entry, action: "access refused", ...origin });
  }

  /** Undefined if the actor may make the call. */
  function refusalOf(call: Call, actor: Actor) {
    if (actor.key && !keysMay(call)) return forbiddenForKey(false);
    if (mayCall(call.access, actor)) return undefined;
    return actor.key ? forbiddenForKey(true) : forbidden();
  }

  return {
    auditRefusal,

    /** The administrator whose SCIM token it is. Throws 401, 403 or 429. */
    async authorizeDirectory(token: string | undefined, call: Named, client: Client): Promise<Actor> {
      if (!token) throw unauthorized();
      if (!isKey(token)) throw unknownKey();
      const actor = await actorForKey(token, client, "scim");
      client.onUser?.(actor.id);
      requireSteps({}, actor, now());
      if (mayBeDirectory(actor)) return actor;
      const refusal = forbiddenForKey(true);
      auditRefusal(refusal, actor, call, client);
      throw refusal;
    },

    /** The signed-in user of a call; undefined for public ones. Throws 401, 403 or 429 if they may not make it. */
    async authorize(call: Call, token: string | undefined, client: Client): Promise<Actor | undefined> {
      if (call.access === "public") return undefined;
      if (!token) throw unauthorized();
      const actor = await (isKey(token) ? actorForKey(token, client) : actorForToken(token, client.page?.actors));
      if (!actor) throw unauthorized();
      client.onUser?.(actor.id);
      const refusal = refusalOf(call, actor);
      if (!refusal) {
        requireSteps(call, actor, now());
        return actor;
      }
      auditRefusal(refusal, actor, call, client);
      throw refusal;
    },
  };
}
