import { describe, expect, test } from "vitest";
import { has, type Right, type Subject } from "#tests/fixtures/access-matrix/actors.ts";
import { type Fixture, makeFixture } from "#tests/fixtures/access-matrix/fixture.ts";
import { type Kind, kinds } from "#tests/fixtures/access-matrix/kinds.ts";
import { type CallContext, missing, type MatrixRow, rows } from "#tests/fixtures/access-matrix/rows.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import type { Call } from "./contract/call.ts";
import { type CallName, calls } from "./contract/calls.ts";
import type { Area } from "./contract/permissions.ts";

/**
 * Every endpoint × actor × whose record it is about. The expected status comes from the permission string and from the
 * endpoint's area and right in the OpenAPI document, by a reading of both that is independent of the product's.
 */

let fixtures: Promise<Fixture> | undefined;
const sharedFixture = () => (fixtures ??= makeFixture());

type Operation = { "x-area"?: Area; "x-right"?: Right; security: object[]; responses: object };

async function operations(): Promise<Record<string, Operation>> {
  const { call } = await sharedFixture();
  const paths = (await call("openapi")).json.paths as Record<string, Record<string, Operation>>;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace("/api", "")}`,
        operation,
      ]),
    ),
  );
}

/** Returns the status that must come. */
function expected(operation: Operation, row: MatrixRow, context: CallContext): number {
  const { "x-area": area, "x-right": right } = operation;
  const { actor, relation } = context;
  const good = Number(Object.keys(operation.responses).find((status) => status.startsWith("2")));
  if (!actor.token) return 401;
  const usually = (status: number) => (row.except && row.except(context)) || status;
  if (!area || !right) return usually(good);
  if (!has(actor.permissions[area], right)) return 403;
  if (row.how === "alone" || row.how === "list") return usually(good);
  const letter = actor.permissions[area][0]!;
  const isReached = kinds[row.kind!].reaches(letter, relation, actor);
  if (isReached) return usually(good);
  if (row.how === "record") return row.unreached ?? 404;
  // A form that names what is out of reach is refused at its field.
  return usually(422);
}

/** `POST /users` of the row `POST /users, once more`. */
const endpointOf = (row: string) => row.split(",")[0]!;

const nameOf = (endpoint: string) =>
  (Object.keys(calls) as CallName[]).find((name) => `${calls[name].method} ${calls[name].path}` === endpoint)!;

describe.runIf(hasDatabase())("the access matrix", () => {
  test("has a row for every endpoint", async () => {
    const described = Object.keys(await operations());
    expect(
      described.filter((endpoint) => !(endpoint in rows)),
      "Give each endpoint a row in tests/fixtures/access-matrix/rows.ts; a new kind of record goes into kinds.ts",
    ).toEqual([]);
    expect(
      Object.keys(rows).filter((row) => !described.includes(endpointOf(row))),
      "rows without an endpoint",
    ).toEqual([]);
  });

  test("has actors with every scope, and one without rights", async () => {
    const { actors } = await sharedFixture();
    const scopes = actors.map(({ permissions }) => permissions.docs.split(":")[0]);
    expect(new Set(scopes)).toEqual(new Set(["C", "B", "P", ""]));
  });

  test.each(Object.entries(rows))("%s answers each actor by their group", { timeout: 240_000 }, async (line, row) => {
    const endpoint = endpointOf(line);
    const fixture = await sharedFixture();
    const operation = (await operations())[endpoint]!;
    const isPublic = operation.security.length === 0;
    const kind: Kind | undefined = row.kind && kinds[row.kind];
    const faults: string[] = [];
    const replies = new Set<string>();
    for (const actor of fixture.actors) {
      for (const relation of kind && row.how !== "list" ? kind.relations : (["own"] as const)) {
        const record = kind?.find(fixture, actor, relation) ?? { id: 0 };
        const context = { fixture, actor, relation, record };
        const reply = await callAbout(endpoint, row, context);
        // What a call makes is new each time; what it shows is the same for all.
        const content = endpoint.startsWith("GET ") ? Buffer.from(reply.bytes).toString("base64") : "";
        replies.add(`${reply.status} ${content}`);
        if (isPublic) continue;
        const status = expected(operation, row, context);
        if (reply.status !== status) {
          faults.push(`${actor.who}, ${relation} ${row.kind ?? ""}: ${reply.status} instead of ${status}`);
        }
        if (relation === "other company’s") await expectLikeMissing(endpoint, row, context, reply);
        if (row.how === "list" && kind && reply.status === 200) {
          faults.push(...listFaults(kind, actor.permissions[operation["x-area"]!], context, reply.json as Subject[]));
        }
      }
    }
    expect(faults).toEqual([]);
    if (isPublic) expect(replies.size, "a public call answers all actors alike").toBe(1);
  });
});

const paged = (Object.keys(calls) as CallName[]).filter((name) => {
  const { query }: Call = calls[name];
  return query !== undefined && "per_page" in query.shape;
});

describe.runIf(hasDatabase())("a page of a list", () => {
  test.each(paged)("of %s is the first one if only its size is given", async (name) => {
    const endpoint = `${calls[name].method} ${calls[name].path}`;
    const row = rows[endpoint]!;
    const fixture = await sharedFixture();
    const actor = fixture.actors.find(({ who }) => who === "Administrator")!;
    const record = (row.kind && kinds[row.kind].find(fixture, actor, "own")) ?? { id: 0 };
    const context = { fixture, actor, relation: "own" as const, record };
    const get = (query: Record<string, string>) =>
      callAbout(endpoint, { ...row, query, except: undefined } as MatrixRow, context);
    const [sized, first] = [await get({ per_page: "1" }), await get({ per_page: "1", page: "1" })];
    expect(sized.status).toBe(200);
    // Some rows are made for each call.
    const withoutId = (one: Subject) => ({ ...one, id: 0 });
    expect(sized.json.map(withoutId)).toEqual(first.json.map(withoutId));
    const total = Number(sized.headers.get("x-total-count") ?? "none");
    expect(sized.json).toHaveLength(Math.min(total, 1));
    const next = /<([^>]*)>; rel="next"/.exec(sized.headers.get("link") ?? "")?.[1];
    expect(next !== undefined, "it links to the second page if there is one").toBe(total > 1);
    if (!next) return;
    const query = Object.fromEntries(new URL(next, "http://provider").searchParams);
    expect(query).toMatchObject({ page: "2", per_page: "1" });
    const second = await get(query);
    expect(second.json).toHaveLength(1);
    expect(second.json).not.toEqual(sized.json);
    expect(second.headers.get("link")).toContain('rel="prev"');
  });
});

let calling = 0;

async function callAbout(endpoint: string, row: MatrixRow, context: CallContext) {
  const { fixture, actor, record } = context;
  const params = typeof row.params === "function" ? row.params(fixture) : row.params;
  const query = typeof row.query === "function" ? row.query(context) : row.query;
  await row.prepare?.(context);
  const reply = await fixture.call(nameOf(endpoint), {
    params: { id: record.id, ...params },
    ...(query && { query }),
    ...(row.headers && { headers: row.headers }),
    ...(row.body && { body: row.body(context) }),
    ...(actor.token && { token: actor.token }),
    // Below every limit of one address.
    address: `192.0.2.${++calling % 250}`,
  });
  if (row.prepare || (!endpoint.startsWith("GET ") && reply.status < 300)) await fixture.reset();
  return reply;
}

type Reply = Awaited<ReturnType<typeof callAbout>>;

async function expectLikeMissing(endpoint: string, row: MatrixRow, context: CallContext, reply: Reply) {
  const none = await callAbout(endpoint, row, { ...context, record: missing });
  const [one, other] = [reply, none].map(({ status, headers, bytes }) => [status, [...headers], Buffer.from(bytes)]);
  expect(one, `${context.actor.who} can tell another company’s ${row.kind} from a missing one`).toEqual(other);
}

/** Returns the records that a list shows beyond the actor's reach, and those that it lacks. */
function listFaults(kind: Kind, permission: string, { fixture, actor }: CallContext, list: Subject[]) {
  const ids = new Set(list.map(({ id }) => id));
  return kind.relations.flatMap((relation) => {
    const isShown = ids.has(kind.find(fixture, actor, relation).id);
    const isReached = kind.reaches(permission[0]!, relation, actor);
    return isShown === isReached ? [] : [`${actor.who}, ${relation}: ${isShown ? "shown" : "not shown"}`];
  });
}
