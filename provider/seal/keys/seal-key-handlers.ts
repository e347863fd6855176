import {
  listSealKeys,
  nameSealKeys,
  publishedSealKeys,
  publishedSealRoots,
  publishedStatusList,
  publishedStatusLists,
  revokeSealKey,
  rotateSealKey,
} from "../../contract/seal-keys.ts";
import type { On } from "../../http/endpoint.ts";
import { notFound } from "../../http/errors.ts";
import { limitByKey, limitByNetwork } from "../../http/rate-limits.ts";
import { nameKeys, revokeKey, rotateKey } from "./change-seal-keys.ts";
import { keyReply, keysOf, operatorsRoot, publishedKeys, publishedRoots } from "./public-keys.ts";
import { statusListToken, statusListUrls } from "../status-lists.ts";
import type { Services } from "../../services.ts";

/** The company's seal keys, and the public parts of all companies'. */
export function serveSealKeys(on: On, services: Services) {
  const { db } = services;
  // Keys stay published for ever.
  const rotations = limitByKey(services, "seal_key_rotations", "Too many new keys");
  const readers = limitByNetwork(services, "seal_keys");

  on(listSealKeys, async ({ actor }) => (await keysOf(db, actor.company_id)).map(keyReply));

  on(nameSealKeys, ({ body, caller }) => nameKeys(services, caller, body.name_beside_keys));

  on(rotateSealKey, async ({ caller }) => {
    await rotations.count(String(caller.company_id));
    return keyReply(await rotateKey(services, caller));
  });

  on(revokeSealKey, async ({ body: { revoked_reason }, params: { id }, caller }) =>
    keyReply(await revokeKey(services, caller, { id, revoked_reason })),
  );

  on(publishedSealKeys, async ({ networks }) => {
    await readers.count(networks);
    return { keys: await publishedKeys(services) };
  });

  on(publishedStatusLists, async ({ networks }) => {
    await readers.count(networks);
    return { status_lists: await statusListUrls(services) };
  });

  on(publishedStatusList, async ({ params, networks }) => {
    await readers.count(networks);
    const token = await statusListToken(db, params.list);
    if (token === undefined) throw notFound();
    return { token };
  });

  on(publishedSealRoots, async ({ networks }) => {
    await readers.count(networks);
    const { operatorKey } = services.seals;
    return [...(operatorKey ? [operatorsRoot(operatorKey)] : []), ...(await publishedRoots(db))];
  });
}
