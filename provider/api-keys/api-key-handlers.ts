import { createKey, keysOf, revokeKey } from "./change-api-key.ts";
import * as contract from "../contract/api-keys.ts";
import type { On } from "../http/endpoint.ts";
import { limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { findUser } from "../users/find.ts";

export function serveApiKeys(on: On, services: Services) {
  const { db, now } = services;
  // Each leaves two entries in the audit trail.
  const making = limitByKey(services, "api_keys_made");

  on(contract.listOwnKeys, ({ actor }) => keysOf(db, actor.id, actor.timezone, now()));

  on(contract.createOwnKey, async ({ actor, caller, body }) => {
    await making.count(String(actor.id));
    return createKey(services, caller, body);
  });

  on(contract.revokeOwnKey, ({ caller, params }) => revokeKey(services, caller, params.id));

  on(contract.listUserKeys, async ({ actor, params }) => {
    const { id } = await findUser(db, actor, params.id);
    return keysOf(db, id, actor.timezone, now());
  });

  on(contract.revokeUserKey, ({ caller, params }) => revokeKey(services, caller, params.key, params.id));
}
