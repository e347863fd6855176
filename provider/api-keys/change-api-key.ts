import type { Selectable } from "kysely";
import type { z } from "zod";
import { type Actor, type Caller, scopeOf } from "../access.ts";
import { addDays, dateIn, dayMonthYear } from "../calendar/calendar.ts";
import { keyLimits } from "../contract/api-key-limits.ts";
import type { ApiKey, createOwnKey } from "../contract/api-keys.ts";
import { type Area, areaNames } from "../contract/areas.ts";
import { groupNamed } from "../access-groups/access-group-queries.ts";
import { audit } from "../audit/audit-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, forbidden, notFound, throwIfErrors } from "../http/errors.ts";
import { mayBeDirectory } from "../scim/directory.ts";
import type { Services } from "../services.ts";
import { mayReassign } from "../users/rights.ts";
import { findSessionOwner } from "../users/sessions.ts";
import { makeKey } from "./key-text.ts";
import { areasOf, isExpired, keyHash } from "./keys.ts";

/** Making and revoking API keys. */

type NewKey = z.output<typeof createOwnKey.body>;
type KeyRow = Omit<Selectable<Tables["api_keys"]>, "access_group_id"> & { access_group: string | null };

/** A user's keys for a reply, the newest first. */
export async function keysOf(db: Db, userId: number, timezone: string, now: Date): Promise<ApiKey[]> {
  const keys = db
    .selectFrom("api_keys")
    .leftJoin("access_groups", (join) =>
      join.onRef("access_groups.id", "=", "api_keys.access_group_id").on("access_groups.active", "=", TRUE),
    )
    .where("user_id", "=", userId)
    .orderBy("api_keys.id", "desc")
    .selectAll("api_keys")
    .select("access_groups.name as access_group");
  return (await keys.execute()).map((row) => asKey(row, timezone, now));
}

function asKey(row: KeyRow, timezone: string, now: Date): ApiKey {
  const { id, name, ending, scope, areas, created_at, expires_on, used_at, exposed_at } = row;
  const access_group = row.access_group ?? "";
  const expired = isExpired({ expires_on, timezone }, now);
  const times = { created_at, expires_on, expired, last_used_at: used_at, exposed_at };
  return { id, name, ending, scope, areas: areasOf(areas), access_group, ...times };
}

/** Makes a key of the caller, and returns it with its text, which is not stored. */
export const createKey = (services: Services, caller: Caller, input: NewKey) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const now = services.now();
    const isScim = input.scope === "scim";
    const areas: Area[] = isScim ? ["users", "roles"] : input.areas;
    const group = isScim ? await groupNamed(transaction, actor.company_id, input.access_group) : undefined;
    throwIfErrors({
      expires_on: dayRefusal(input.expires_on, dateIn(actor.timezone, now)),
      scope: isScim && !mayBeDirectory(actor) ? "Only administrators who may add and change all users can" : undefined,
      areas: areasRefusal(actor, areas),
      access_group: isScim && !group ? "Choose an access group of your company" : undefined,
    });
    await requireRoom(transaction, actor);
    const key = makeKey();
    const { name, scope, expires_on } = input;
    const row = {
      user_id: actor.id,
      name,
      scope,
      areas: areas.join(","),
      expires_on,
      hash: keyHash(key),
      ending: key.slice(-4),
      created_at: now.toISOString(),
      used_at: null,
      exposed_at: null,
      access_group_id: group?.id ?? null,
    };
    const { id } = await transaction.insertInto("api_keys").values(row).returning("id").executeTakeFirstOrThrow();
    await audit(transaction, {
      actor,
      action: "API key made",
      subject: { entity: "user", id: actor.id, name: actor.name },
      at: now,
      after: {
        api_key: name,
        scope,
        areas: areas.map((area) => areaNames[area]).join(", "),
        expires_on,
        ...(group && { staff: group.name }),
      },
    });
    return { ...asKey({ ...row, id, access_group: group?.name ?? null }, actor.timezone, now), key };
  });

/** Revokes a key of the caller, or of a user whom they may change. Throws 403 or 404. */
export const revokeKey = (services: Services, caller: Caller, id: number, userId?: number): Promise<void> =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const owner = await findSessionOwner(transaction, actor, userId);
    if (owner.id !== actor.id && !(await mayReassign(transaction, actor, owner))) throw forbidden();
    const revoked = transaction.deleteFrom("api_keys").where("id", "=", id).where("user_id", "=", owner.id);
    const key = await revoked.returning("name").executeTakeFirst();
    if (!key) throw notFound();
    await audit(transaction, {
      actor,
      action: "API key revoked",
      subject: { entity: "user", id: owner.id, name: owner.name },
      at: services.now(),
      before: { api_key: key.name },
      after: { api_key: null },
    });
  });

function dayRefusal(day: string, today: string) {
  const last = addDays(today, keyLimits.days);
  return day > today && day <= last ? undefined : `Enter a day after today, up to ${dayMonthYear(last)}`;
}

/** A key for an area without a right would silently gain that right later. */
function areasRefusal(actor: Actor, areas: Area[]) {
  const missing = areas.filter((area) => !scopeOf(actor, area, "read")).map((area) => areaNames[area]);
  return missing.length > 0 ? `Leave out ${missing.join(", ")}: you have no rights there yourself` : undefined;
}

async function requireRoom(db: Db, { id }: Actor) {
  const own = db.selectFrom("api_keys").where("user_id", "=", id);
  const { keys } = await own.select((eb) => eb.fn.countAll<number>().as("keys")).executeTakeFirstOrThrow();
  if (keys >= keyLimits.keys) throw conflict(`You have ${keyLimits.keys} API keys: revoke one first`);
}
