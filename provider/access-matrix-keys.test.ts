import { describe, expect, test } from "vitest";
import { has, type Right } from "#tests/fixtures/access-matrix/actors.ts";
import { type Fixture, makeFixture } from "#tests/fixtures/access-matrix/fixture.ts";
import { kinds } from "#tests/fixtures/access-matrix/kinds.ts";
import { type CallContext, type MatrixRow, rows } from "#tests/fixtures/access-matrix/rows.ts";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import type { Call } from "./contract/call.ts";
import { type CallName, calls } from "./contract/calls.ts";
import { type Area, areas } from "./contract/permissions.ts";

/**
 * Every call × API key of an administrator: one that reads, one for the call's own area, one for all other areas, one for
 * all. The expected status comes from the lists below and from the call's area and right, not from the product's reading.
 */

/** What no key does, whatever its scope: a new call that is not here may be made within its area. */
const forbidden: CallName[] = [
  // One's own account, views, and jobs in one's name.
  ...(["logout", "getProfile", "updateProfile", "getProfileImage", "changePassword", "changeEmail"] as const),
  ...(["resendEmail", "cancelEmail", "listOwnSessions", "endOtherSessions", "endOwnSession"] as const),
  ...(["listOwnKeys", "createOwnKey", "revokeOwnKey"] as const),
  ...(["getSecondFactor", "beginSecondFactor", "confirmSecondFactor", "removeSecondFactor"] as const),
  ...(["createRecoveryCodes", "prove", "proofOptions", "proveByPasskey"] as const),
  ...(["listPasskeys", "passkeyOptions", "addPasskey", "removePasskey"] as const),
  ...(["listViews", "createView", "updateView", "removeView", "chooseDefaultView"] as const),
  ...(["getCalendarFeed", "createCalendarFeed", "removeCalendarFeed"] as const),
  ...(["createImport", "getImport", "listImportRows", "applyImport"] as const),
  ...(["startDocumentActions", "startAlertActions", "getBulkAction", "listBulkActionRows", "undoBulkAction"] as const),
  ...(["startBulkIssue", "resumeBulkIssue"] as const),
  // Who may sign in, and what they may do.
  ...(["createUser", "updateUser", "removeUser", "inviteUser", "reactivateUser", "eraseUser"] as const),
  ...(["eraseRecipient"] as const),
  ...(["resendUserEmail", "cancelUserEmail", "listUserSessions", "endUserSessions", "endUserSession"] as const),
  ...([
    "clearUserSecondFactor",
    "listUserKeys",
    "revokeUserKey",
    "addUserToBranch",
    "startUserActions",
    "checkUserActions",
  ] as const),
  ...(["createAccessGroup", "updateAccessGroup", "removeAccessGroup", "listAudit"] as const),
  ...(["getIdentityProvider", "setIdentityProvider", "removeIdentityProvider", "singleSignOut"] as const),
  // Where events are sent.
  ...(["createWebhook", "updateWebhook", "enableWebhook", "rotateWebhookKey", "removeWebhook"] as const),
  // What people release, each after having seen it, and what waits for them.
  ...(["releaseDraft", "returnDraft", "discardDraft"] as const),
  ...(["listReleaseRules", "createReleaseRule", "updateReleaseRule", "removeReleaseRule"] as const),
  // What it costs, and what strangers trust.
  ...(["changeTariff", "nameSealKeys", "rotateSealKey", "revokeSealKey"] as const),
  ...(["listHosts", "requestHost", "checkHost", "removeHost"] as const),
];

/** Calls that need the right to read a second area as well. */
const also: Partial<Record<CallName, Area>> = { listBranchUsers: "users" };

/** Keys by what they may do, for a call of an area. */
const keysFor = (area: Area | undefined) => ({
  "that reads all": { scope: "read", areas },
  "for its area": { scope: "write", areas: area ? [area] : ["docs"] },
  "for other areas": { scope: "write", areas: areas.filter((one) => one !== area) },
  "for all": { scope: "write", areas },
  "that reads its area": { scope: "read", areas: area ? [area] : ["docs"] },
});
type Scope = { scope: "read" | "write"; areas: readonly Area[] };

let fixturePromise: Promise<Fixture> | undefined;
const theFixture = () => (fixturePromise ??= makeFixture());

/** The permission of a key's user within the key's scope. */
const within = (permission: string, area: Area, { scope, areas: keyAreas }: Scope) =>
  keyAreas.includes(area) ? (scope === "read" ? permission.replace(/:.+/, ":R") : permission) : "";

function expected(name: CallName, row: MatrixRow, context: CallContext, scope: Scope): number {
  const { access, status }: Call = calls[name];
  if (forbidden.includes(name)) return 403;
  const permissions = context.actor.permissions;
  const own = Object.fromEntries(areas.map((area) => [area, within(permissions[area], area, scope)]));
  const actor = { ...context.actor, permissions: own as Record<Area, string> };
  const usually = () => (row.except && row.except({ ...context, actor })) || status;
  if (typeof access === "string") return usually();
  const { area, right }: { area: Area; right: Right } = access;
  if (!has(actor.permissions[area], right)) return 403;
  const second = also[name];
  if (second && !has(actor.permissions[second], "read")) return 403;
  const reaches = row.kind ? kinds[row.kind].reaches(actor.permissions[area][0]!, "own", actor) : true;
  return reaches ? usually() : (row.unreached ?? 404);
}

const cases = (Object.keys(calls) as CallName[])
  .map((name) => [name, `${calls[name].method} ${calls[name].path}`] as const)
  .filter(([name]) => calls[name].access !== "public");

describe.runIf(hasDatabase())("the access matrix of API keys", () => {
  test.each(cases)("%s answers each key by its scope", { timeout: 240_000 }, async (name, endpoint) => {
    const fixture = await theFixture();
    const row = rows[endpoint]!;
    const actor = fixture.actors.find(({ who }) => who === "Administrator")!;
    const { access }: Call = calls[name];
    const faults: string[] = [];
    const keys = keysFor(typeof access === "object" ? access.area : undefined) as Record<string, Scope>;
    for (const [what, scope] of Object.entries(keys)) {
      const record = (row.kind && kinds[row.kind].find(fixture, actor, "own")) ?? { id: 0 };
      const context: CallContext = { fixture, actor, relation: "own", record };
      const { id, key } = await addKey(fixture, actor.id, scope);
      const reply = await callWith(key, name, row, context);
      const status = expected(name, row, context, scope);
      if (reply.status !== status) faults.push(`a key ${what}: ${reply.status} instead of ${status}`);
      await fixture.db.deleteFrom("api_keys").where("id", "=", id).execute();
    }
    expect(faults).toEqual([]);
  });

  test("knows each call that no key may make", () => {
    const caseNames = cases.map(([name]) => name);
    expect(forbidden.filter((name) => !caseNames.includes(name))).toEqual([]);
    expect(new Set(forbidden).size).toBe(forbidden.length);
  });
});

async function callWith(key: string, name: CallName, row: MatrixRow, context: CallContext) {
  const { fixture, record } = context;
  const params = typeof row.params === "function" ? row.params(fixture) : row.params;
  const query = typeof row.query === "function" ? row.query(context) : row.query;
  await row.prepare?.(context);
  const reply = await fixture.call(name, {
    params: { id: record.id, ...params },
    ...(query && { query }),
    ...(row.headers && { headers: row.headers }),
    ...(row.body && { body: row.body(context) }),
    token: key,
  });
  if (row.prepare || (calls[name].method !== "GET" && reply.status < 300)) await fixture.reset();
  return reply;
}
