import type { Actor } from "../../access.ts";
import { listCopies, restoreCopy, withdrawCopy } from "../../contract/copies.ts";
import { copiesReply } from "./copy-queries.ts";
import { findDocument } from "../document-queries.ts";
import * as copies from "./copies.ts";
import type { On } from "../../http/endpoint.ts";
import { notFound } from "../../http/errors.ts";
import type { Services } from "../../services.ts";

/** A document's numbered copies. */
export function serveCopies(on: On, services: Services) {
  const { db } = services;
  const reply = async (actor: Actor, { id, n }: { id: number; n: number }) => {
    const copy = (await copiesReply(services, actor, id)).find((one) => one.n === n);
    if (!copy) throw notFound();
    return copy;
  };

  on(listCopies, async ({ actor, params }) => {
    if (!(await findDocument(db, actor, params.id))) throw notFound();
    return copiesReply(services, actor, params.id);
  });

  on(withdrawCopy, async ({ actor, caller, params, body }) => {
    const release = await copies.withdrawCopy(services, caller, params, body);
    return { ...(await reply(actor, params)), ...(release && { awaiting_release: release }) };
  });

  on(restoreCopy, async ({ actor, caller, params }) => {
    const release = await copies.restoreCopy(services, caller, params);
    return { ...(await reply(actor, params)), ...(release && { awaiting_release: release }) };
  });
}
