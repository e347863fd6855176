import type { ExpressionBuilder } from "kysely";
import { minutesInMs } from "#lib/units.ts";
import type { Actor, Caller } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { KeyScope } from "../contract/api-key-limits.ts";
import { type Area, areas, partsOf, permissionOf } from "../contract/areas.ts";
import type { Permissions } from "../contract/permissions.ts";
import { actorRows, asActor } from "../db/actors.ts";
import type { Db, Tables } from "../db/tables.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { isWellFormed } from "./key-text.ts";

/** API keys, which act with their user's rights of the moment within their own scope. */

/** How often the last use of a key is stored: not with every request. */
const touchIntervalMs = minutesInMs(5);

/** The stored hash of a key. */
export const keyHash = (key: string) => tokenHash(key);

/** A user's permissions within a key's scope: in other areas none, and read alone for a key that only reads. */
function permissionsWithin(own: Permissions, { scope, areas: chosen }: { scope: KeyScope; areas: readonly Area[] }) {
  const within = (area: Area) => {
    if (!chosen.includes(area)) return "";
    const { scope: reach, rights } = partsOf(own[area]);
    return scope !== "read" || rights.length === 0 ? own[area] : permissionOf(reach, ["read"]);
  };
  return Object.fromEntries(areas.map((area) => [area, within(area)])) as Permissions;
}

/** The areas of a stored key. */
export const areasOf = (stored: string) => stored.split(",") as Area[];

/** Whether the user can sign in with two factors: by an authenticator app, a passkey, or an identity provider. */
const hasStrongSignIn = (eb: ExpressionBuilder<Tables, "users">) => {
  const own = (table: "passkeys" | "identities") =>
    eb.exists(eb.selectFrom(table).select(`${table}.id`).whereRef(`${table}.user_id`, "=", "users.id"));
  const apps = eb.selectFrom("second_factors").whereRef("second_factors.user_id", "=", "users.id");
  const hasApp = eb.exists(apps.where("set_up_at", "is not", null).select("second_factors.user_id"));
  return eb.or([hasApp, own("passkeys"), own("identities")]);
};

const keyRow = (db: Db, hash: string) =>
  actorRows(db)
    .innerJoin("api_keys", "api_keys.user_id", "users.id")
    .where("api_keys.hash", "=", hash)
    .select(["api_keys.id as key_id", "api_keys.name as key_name", "api_keys.scope as key_scope"])
    .select(["api_keys.areas as key_areas", "api_keys.expires_on", "api_keys.used_at"])
    .select("access_groups.requires_second_factor")
    .select((eb) => eb.case().when(hasStrongSignIn(eb)).then(1).else(0).end().as("has_second_factor"))
    .executeTakeFirst();

type KeyRow = NonNullable<Awaited<ReturnType<typeof keyRow>>>;

/** Whether a key's last day is over. */
export const isExpired = ({ expires_on, timezone }: { expires_on: string; timezone: string }, now: Date) =>
  dateIn(timezone, now) > expires_on;

function asKeyActor(row: KeyRow): Actor {
  const actor = asActor(row);
  const scope = { scope: row.key_scope, areas: areasOf(row.key_areas) };
  return {
    ...actor,
    permissions: permissionsWithin(actor.permissions, scope),
    key: { id: row.key_id, name: row.key_name },
    lacksSecondFactor: row.requires_second_factor === 1 && row.has_second_factor === 0,
  };
}

/** What a key is for: the calls of `contract/`, or SCIM. */
export type KeyUse = NonNullable<Caller["keyUse"]>;

/**
 * The user of a key by its hash, with the rights that both have; undefined if either is no longer valid, or the key is for
 * something else.
 */
export async function actorOfKey(db: Db, hash: string, now: Date, use: KeyUse = "calls"): Promise<Actor | undefined> {
  const row = await keyRow(db, hash);
  if (!row || isExpired(row, now) || (row.key_scope === "scim") !== (use === "scim")) return undefined;
  if (!row.used_at || now.getTime() - Date.parse(row.used_at) > touchIntervalMs) {
    const touched = db.updateTable("api_keys").set({ used_at: now.toISOString() }).where("hash", "=", hash).execute();
    // Best effort: a failed write, as on a full disk, must not stop reading.
    await touched.catch(() => {});
  }
  return asKeyActor(row);
}

/** The same within a transaction. Locks the key, so that it can't be revoked before the commit. */
export async function keyActorInTransaction(db: Db, hash: string, now: Date): Promise<Actor | undefined> {
  const used = db.updateTable("api_keys").set({ used_at: now.toISOString() }).where("hash", "=", hash);
  if ((await used.executeTakeFirst()).numUpdatedRows === 0n) return undefined;
  const row = await keyRow(db, hash);
  return row && !isExpired(row, now) ? asKeyActor(row) : undefined;
}

/** Marks a key that was sent in an address. Returns its id; undefined if there is no such key. */
export async function noteExposed(db: Db, key: string, now: Date): Promise<number | undefined> {
  if (!isWellFormed(key)) return undefined;
  const keys = db.selectFrom("api_keys").where("hash", "=", keyHash(key)).select(["id", "exposed_at"]);
  const row = await keys.executeTakeFirst();
  if (row?.exposed_at === null) {
    const exposed_at = now.toISOString();
    await db.updateTable("api_keys").set({ exposed_at }).where("id", "=", row.id).execute();
  }
  return row?.id;
}
