import { type Context, Hono } from "hono";
import { type Client, createAuthorizer } from "../http/authorize.ts";
import { bearerTokenOf, type ClientContext } from "../http/call-request.ts";
import { clientOf } from "../http/endpoint.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { refuseExposedKeys } from "../http/exposed-keys.ts";
import { keyHash } from "../api-keys/keys.ts";
import type { Services } from "../services.ts";
import { idOf, type ListQuery } from "./filter.ts";
import { groups } from "./groups.ts";
import { projected, projectionOf } from "./projection.ts";
import {
  bounds,
  type Operation,
  operationsOf,
  readObject,
  type Resource,
  ScimError,
  scimFailure,
  scimReply,
  urns,
} from "./protocol.ts";
import { discovery } from "./discovery.ts";
import type { Directory, Kind } from "./service.ts";
import { users } from "./users.ts";

/** SCIM 2.0 below `/scim/v2` (RFC 7643, RFC 7644): a company's directory adds, changes and removes users and access groups. */

type Env = { Bindings: ClientContext };
type Answer = (directory: Directory, c: Context<Env>) => Promise<Response>;

const method = { get: "read", post: "add", put: "replace", patch: "change", delete: "remove" } as const;

export function createScimServer(services: Services) {
  const base = `${services.publicUrl}/scim/v2`;
  const server = new Hono<Env>().basePath("/scim/v2");
  server.notFound((c) => scimFailure(services.log, notFound(), c.req.raw.signal));
  server.onError((error, c) => scimFailure(services.log, error, c.req.raw.signal));
  server.use(refuseExposedKeys(services));
  const { authorizeDirectory } = createAuthorizer(services);

  serveDiscovery(server, base);

  /** Serves a request of a directory, and no other. */
  const on = (verb: keyof typeof method, path: string, summary: string, answer: Answer) =>
    server.on(verb.toUpperCase(), path, async (c) => {
      const route = `/scim/v2${path}`;
      c.env.onRoute?.(route);
      const token = bearerTokenOf(c.req.raw);
      const client: Client = clientOf(c.env, () => {});
      const call = { method: verb.toUpperCase(), path: route, summary };
      const actor = await authorizeDirectory(token, call, client);
      const access = { area: "roles", right: "write" } as const;
      const session = keyHash(token!);
      const caller = { company_id: actor.company_id, session, access, keyUse: "scim" as const };
      const reply = await answer(
        { services, db: services.db, actor, caller, base, requireVersion: versionCheck(c) },
        c,
      );
      if (verb !== "get") services.nudgeAuditShipping?.();
      return reply;
    });

  for (const kind of [users, groups]) {
    const noun = kind.name === "User" ? "a user" : "an access group";
    const serve = (verb: keyof typeof method, path: string, answer: Answer) =>
      on(verb, path, `SCIM: ${method[verb]} ${noun}`, answer);
    serveKind(kind, serve);
    const allowed = { "": "GET, POST", "/.search": "POST", "/:id": "GET, PUT, PATCH, DELETE" };
    for (const [path, allow] of Object.entries(allowed)) server.all(`/${kind.name}s${path}`, refuseMethod(allow));
  }
  for (const path of ["/Me", "/Bulk"]) {
    server.all(path, () => {
      throw new HttpError(501, `${path} is not supported`);
    });
  }
  return server;
}

function refuseMethod(allow: string) {
  const detail = "This address does not take that method";
  return () => scimReply({ schemas: [urns.error], status: "405", detail }, 405, { allow });
}

/** Anyone may read what the service can do; it says nothing of a company. */
function serveDiscovery(server: Hono<Env>, base: string) {
  const { config, resourceTypes, schemas } = discovery(base);
  const get = (path: string, read: (id: string) => object | undefined) => {
    server.get(path, (c) => {
      c.env.onRoute?.(`/scim/v2${path}`);
      if (c.req.query("filter") !== undefined) throw new HttpError(403, "This list takes no filter");
      const resource = read(c.req.param("id") ?? "");
      if (!resource) throw notFound();
      return scimReply(resource);
    });
    server.all(path, refuseMethod("GET"));
  };
  const byId = (list: { id: string }[]) => (id: string) =>
    list.find((one) => one.id.toLowerCase() === id.toLowerCase());
  get("/ServiceProviderConfig", () => config);
  get("/ResourceTypes", () => listOf(resourceTypes, resourceTypes.length, 1));
  get("/ResourceTypes/:id", byId(resourceTypes));
  get("/Schemas", () => listOf(schemas, schemas.length, 1));
  get("/Schemas/:id", byId(schemas));
}

const listOf = (resources: object[], totalResults: number, startIndex: number) => ({
  schemas: [urns.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

function serveKind(kind: Kind, serve: (verb: keyof typeof method, path: string, answer: Answer) => void) {
  const [all, one] = [`/${kind.name}s`, `/${kind.name}s/:id`];
  const schema = kind.name === "User" ? urns.user : urns.group;
  const replacing = async (request: Request) => [{ op: "replace" as const, value: await readObject(request, schema) }];

  const list = async (directory: Directory, query: Record<string, string>) => {
    const part = listQueryOf(query);
    const { resources, total } = await kind.list(directory, part);
    const projection = projectionOf(query);
    const parts = resources.map((resource) => projected(resource, projection));
    return scimReply(listOf(parts, total, part.startIndex));
  };
  serve("get", all, (directory, c) => list(directory, c.req.query()));
  // The same with its query in the body, which no log of addresses stores.
  serve("post", `${all}/.search`, async (directory, c) => {
    const body = Object.entries(await readObject(c.req.raw, urns.search));
    return list(directory, Object.fromEntries(body.map(([name, value]) => [name, String(value)])));
  });

  serve("post", all, async (directory, c) => {
    const id = await kind.create(directory, (await replacing(c.req.raw))[0]!);
    return resourceReply(c, await kind.find(directory, id), 201);
  });

  serve("get", one, async (directory, c) => {
    const resource = await kind.find(directory, idIn(c));
    const isKnown = tagsOf(c.req.header("if-none-match")).includes(versionOf(resource));
    return isKnown ? scimReply(undefined, 304, { etag: versionOf(resource) }) : resourceReply(c, resource);
  });

  const changeBy =
    (read: (request: Request) => Promise<Operation[]>): Answer =>
    async (directory, c) => {
      await kind.change(directory, idIn(c), await read(c.req.raw));
      return resourceReply(c, await kind.find(directory, idIn(c)));
    };
  serve("put", one, changeBy(replacing));
  serve(
    "patch",
    one,
    changeBy(async (request) => operationsOf(await readObject(request, urns.patch))),
  );

  serve("delete", one, async (directory, c) => {
    await kind.remove(directory, idIn(c));
    return new Response(null, { status: 204 });
  });
}

/** The id in a path, which is a number here; any other text is the id of nothing. */
function idIn(c: Context<Env>): number {
  const id = idOf(c.req.param("id") ?? "");
  if (id === undefined) throw notFound();
  return id;
}

const versionOf = (resource: Resource) => (resource["meta"] as { version: string }).version;
const tagsOf = (header: string | undefined) => (header ?? "").split(/\s*,\s*/);

/** What refuses a resource that is not as the client read it; undefined if any will do. */
function versionCheck(c: Context<Env>): Directory["requireVersion"] {
  const tags = tagsOf(c.req.header("if-match"));
  if (tags.includes("") || tags.includes("*")) return undefined;
  return (resource) => {
    if (tags.includes(versionOf(resource))) return;
    throw new HttpError(412, "This was changed since you read it: read it again");
  };
}

function resourceReply(c: Context<Env>, resource: Resource, status = 200) {
  const { location, version } = resource["meta"] as { location: string; version: string };
  return scimReply(projected(resource, projectionOf(c.req.query())), status, { location, etag: version });
}

function listQueryOf(query: Record<string, string>): ListQuery {
  const { filter, sortBy, sortOrder, startIndex, count } = query;
  return {
    ...(filter && { filter }),
    ...(sortBy && { sortBy }),
    isDescending: sortOrder?.toLowerCase() === "descending",
    startIndex: Math.max(1, wholeNumber(startIndex, "startIndex") ?? 1),
    count: Math.min(bounds.rows, Math.max(0, wholeNumber(count, "count") ?? 100)),
  };
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (!text) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError("invalidValue", `${name} must be a whole number`);
  return Number(text);
}
