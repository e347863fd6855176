import {
  listSealKeys,
  nameSealKeys,
  publishedRevocationList,
  publishedSealKeys,
  publishedSealRoots,
  publishedStatusList,
  publishedStatusLists,
  revokeSealKey,
  rotateSealKey,
} from "../../contract/seal-keys.ts";
import type { Caller } from "../../access.ts";
import type { On } from "../../http/endpoint.ts";
import { notFound } from "../../http/errors.ts";
import { limitByKey, limitByNetwork } from "../../http/rate-limits.ts";
import { nameKeys, revokeKey, rotateKey } from "./change-seal-keys.ts";
import { keysOf, operatorsRoot, publishedKeys, publishedRoots } from "./public-keys.ts";
import { publishedList, warnOfLists } from "./revocation-lists.ts";
import { statusListToken, statusListUrls } from "../status-lists.ts";
import type { Services } from "../../services.ts";
import { issuerOfList } from "../../wallet/issuers.ts";
import { walletListOfNow } from "../../wallet/wallet-lists.ts";

/** The company's seal keys, and the public parts of all companies'. */
export function serveSealKeys(on: On, services: Services) {
  const { db } = services;
  // Keys stay published for ever.
  const rotations = limitByKey(services, "seal_key_rotations", "Too many new keys");
  const readers = limitByNetwork(services, "seal_keys");

  const replyOf = async ({ company_id }: Caller, { id }: { id: number }) =>
    (await keysOf(db, company_id)).find((key) => key.id === id)!;

  on(listSealKeys, ({ actor }) => keysOf(db, actor.company_id));

  on(nameSealKeys, ({ body, caller }) => nameKeys(services, caller, body.name_beside_keys));

  on(rotateSealKey, async ({ caller }) => {
    await rotations.count(String(caller.company_id));
    return replyOf(caller, await rotateKey(services, caller));
  });

  on(revokeSealKey, async ({ body: { revoked_reason }, params: { id }, caller }) => {
    const revoked = await revokeKey(services, caller, { id, revoked_reason });
    await warnOfLists(services);
    return replyOf(caller, revoked);
  });

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
    const issuer = issuerOfList(params.list);
    const token = await (issuer ? walletListOfNow(services, issuer) : statusListToken(db, params.list));
    if (token === undefined) throw notFound();
    return { token };
  });

  on(publishedRevocationList, async ({ params, networks }) => {
    await readers.count(networks);
    const list = await publishedList(services, params.list);
    if (list === undefined) throw notFound();
    return { list: list.toString("base64") };
  });

  on(publishedSealRoots, async ({ networks }) => {
    await readers.count(networks);
    const { operatorKey } = services.seals;
    return [...(operatorKey ? [operatorsRoot(operatorKey)] : []), ...(await publishedRoots(db))];
  });
}
