import type { Actor, Caller } from "../access.ts";
import {
  endOtherSessions,
  endOwnSession,
  endUserSession,
  endUserSessions,
  listOwnSessions,
  listUserSessions,
} from "../contract/open-sessions.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { openSessions } from "./tokens.ts";
import { endOpenSessions, findSessionOwner } from "../users/sessions.ts";

export function serveOpenSessions(on: On, services: Services) {
  const { db, now } = services;

  const list = async (actor: Actor, caller: Caller, userId?: number) => {
    const { id } = await findSessionOwner(db, actor, userId);
    const rows = await openSessions(db, id, now());
    return rows.map(({ hash, ...row }) => ({ ...row, current: hash === caller.session }));
  };

  on(listOwnSessions, async ({ actor, caller }) => list(actor, caller));
  on(endOtherSessions, async (by) => endOpenSessions(services, by, undefined));
  on(endOwnSession, async ({ params, ...by }) => endOpenSessions(services, by, undefined, params.id));
  on(listUserSessions, async ({ actor, caller, params }) => list(actor, caller, params.id));
  on(endUserSessions, async ({ params, ...by }) => endOpenSessions(services, by, params.id));
  on(endUserSession, async ({ params, ...by }) => endOpenSessions(services, by, params.id, params.session));
}
