import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type CallName, calls } from "../contract/calls.ts";
import { areas, type Area } from "../contract/permissions.ts";
import { asFile, pngFile } from "#fixtures/files.ts";
import { draftForm, hasDatabase, password, type Sent, type TestProvider, testProvider } from "#fixtures/provider.ts";

/**
 * Every endpoint × user × relation to the record. The expected status follows from the permission string and from the
 * endpoint's area and right in the OpenAPI document, by rules of this file's own.
 */

const relations = ["own", "own branch’s", "other branch’s", "another group’s", "other company’s"] as const;
type Relation = (typeof relations)[number];

type MatrixUser = {
  who: string;
  id: number;
  name: string;
  email: string;
  token: string | undefined;
  permissions: Record<Area, string>;
  group: { id: number; name: string };
};

/** A record with what a form about it needs. */
type MatrixRecord = { id: number; name?: string; email?: string; staff?: string; branch?: string };
type World = Awaited<ReturnType<typeof makeWorld>>;
type MatrixCase = { world: World; actor: MatrixUser; relation: Relation; record: MatrixRecord };

/** A kind of record: where there are some, which one is there for an actor, and which a scope's letter reaches. */
type Kind = {
  places: readonly Relation[];
  find(world: World, actor: MatrixUser, relation: Relation): MatrixRecord;
  reaches(letter: string, relation: Relation, actor: MatrixUser): boolean;
};

const everywhere: Record<string, readonly Relation[]> = {
  C: ["own", "own branch’s", "other branch’s"],
  B: ["own", "own branch’s"],
  P: ["own"],
};
const within = (letter: string, relation: Relation) => everywhere[letter]!.includes(relation);
const usual = relations.filter((relation) => relation !== "another group’s");

/** A document that names a group is for its members, its owner and administrators. */
const reachesDocument: Kind["reaches"] = (letter, relation, { permissions }) =>
  relation === "another group’s" ? has(permissions.roles, "write") && letter !== "P" : within(letter, relation);

/** To add a kind: one entry here, and its records in `makeWorld`. */
const kinds = {
  document: {
    places: relations,
    find: ({ documents }, { who }, relation) => ({
      id: (relation === "own" ? documents.own[who] : documents[relation])!,
    }),
    reaches: reachesDocument,
  },
  // An alert is reached like the document that it is about.
  alert: {
    places: relations,
    find: ({ alerts, documents }, { who }, relation) =>
      alerts.get(relation === "own" ? documents.own[who]! : documents[relation])!,
    reaches: reachesDocument,
  },
  // And so is a scan.
  scan: {
    places: relations,
    find: ({ scans, documents }, { who }, relation) =>
      scans.get(relation === "own" ? documents.own[who]! : documents[relation])!,
    reaches: reachesDocument,
  },
  user: {
    places: usual,
    find: ({ users }, actor, relation) =>
      relation === "own" ? { ...actor, staff: actor.group.name, branch: "Preston" } : users[relation]!,
    reaches: within,
  },
  branch: {
    places: usual,
    find: ({ branches }, _, relation) => branches[relation === "own" ? "own branch’s" : relation]!,
    // The personal scope knows the own branch.
    reaches: (letter, relation) => within(letter, relation) || relation === "own branch’s",
  },
  // Users of the actor's branch, by what they own: nothing, or a document of another branch or for another group.
  owner: {
    places: ["own branch’s", "other branch’s", "another group’s", "other company’s"],
    find: ({ owners }, _, relation) => owners[relation]!,
    reaches: (letter, relation) => relation !== "other company’s" && letter !== "P",
  },
  // Documents that the actor issued, wherever they are now.
  issued: {
    places: ["own", "own branch’s", "other branch’s", "another group’s"],
    find: ({ documents }, { who }, relation) => ({
      id: (relation === "own" ? documents.own[who] : documents[relation])!,
    }),
    reaches: reachesDocument,
  },
  group: {
    places: ["own", "own branch’s", "other company’s"],
    find: ({ groups }, { group }, relation) => (relation === "own" ? group : groups[relation])!,
    reaches: within,
  },
} satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

type More = {
  params?: Record<string, string | number> | ((world: World) => Record<string, string | number>);
  query?: Record<string, string | number>;
  body?: (asked: MatrixCase) => object | FormData;
  headers?: Record<string, string>;
  /** Brings the record into the state that the row is about. */
  prepare?: (asked: MatrixCase) => Promise<unknown>;
  /** The status that comes for a record that is out of reach, where that is not 404. */
  unreached?: number;
  /** The status that comes instead of the usual one, where a rule beyond permissions says so. */
  except?: (asked: MatrixCase) => number | false;
};
type Row = More & { how: "alone" | "list" | "record" | "creation"; kind?: KindName };

/** Without a record the right alone decides. */
const alone = (more: More = {}): Row => ({ how: "alone", ...more });
/** Shows those records that the right reaches. */
const list = (kind: KindName, more: More = {}): Row => ({ how: "list", kind, ...more });
/** About the record whose number is in the path. */
const record = (kind: KindName, more: More = {}): Row => ({ how: "record", kind, ...more });
/** Makes a record at the relation that the body names. */
const creation = (kind: KindName, more: More): Row => ({ how: "creation", kind, ...more });

let made = 0;
const newEmail = () => `made-${++made}@company.example`;
const none = Object.fromEntries(areas.map((area) => [area, ""]));
const png = await pngFile(30, 40);

const somewhere = { country: "United Kingdom", city: "Preston" };
const newPassword = { old_password: password, password: `${password} two`, password_confirmation: `${password} two` };

/** The code of a document that anybody may look at. */
const openCode = ({ code }: World) => ({ code, n: 1 });

/** The form of a user without changes. */
const unchanged = ({ record: { name, email, staff, branch } }: MatrixCase) => ({ name, email, staff, branch });

/** Whether the actor can see and do all that an owner can: each of their rights, in their branch, and what they own. */
function mayActAsOwner({ actor: { permissions }, relation }: MatrixCase) {
  if (has(permissions.roles, "write")) return true;
  const letters = (["docs", "branches", "alerts", "map", "users"] as const).map((area) => permissions[area][0]!);
  const enough = relation === "other branch’s" ? ["C"] : ["C", "B"];
  return relation !== "another group’s" && letters.every((letter) => enough.includes(letter));
}

/** Calls that set a user's credentials: refused in scope, where the actor has fewer rights. */
const signIn = (more: More, refusal: 403 | 422): Row =>
  record("owner", { ...more, except: (asked) => !mayActAsOwner(asked) && refusal });

/** One line for every endpoint, and after a comma for more of what it does. */
const rows: Record<string, Row> = {
  "GET /health": alone(),
  "GET /openapi.json": alone(),
  "POST /login": alone({ body: () => ({ email: newEmail(), password }) }),
  "POST /logout": alone(),
  "GET /signup": alone(),
  "POST /signup": alone({ body: () => ({ password: "short", password_confirmation: "short" }) }),
  "POST /forgot-password": alone({ body: () => ({ email: newEmail() }) }),
  "GET /users": alone(),
  "GET /company/users": list("user"),
  "GET /users/{id}": record("user"),
  "POST /users": creation("user", {
    body: ({ record }) => ({ name: "New", email: newEmail(), staff: "Nothing", branch: record.branch }),
    // A new user is never oneself.
    except: ({ actor }) => actor.permissions.users.startsWith("P") && 403,
  }),
  "PUT /users/{id}": record("user", {
    body: ({ record: { name, email, staff, branch } }) => ({ name, email, staff, branch }),
  }),
  "PUT /users/{id}, setting a password": signIn(
    { body: (asked) => ({ ...unchanged(asked), password, password_confirmation: password }) },
    422,
  ),
  "PUT /users/{id}, with another email": signIn({ body: (asked) => ({ ...unchanged(asked), email: newEmail() }) }, 422),
  "PUT /users/{id}, taking back": signIn(
    {
      prepare: ({ world, record }) =>
        world.db.updateTable("users").set({ active: 0 }).where("id", "=", record.id).execute(),
      body: (asked) => ({ ...unchanged(asked), active: true }),
    },
    422,
  ),
  "POST /users/{id}/invitation, of owners": signIn({}, 403),
  "DELETE /users/{id}": record("user", { except: ({ relation }) => relation === "own" && 409 }),
  "POST /users/{id}/invitation": record("user"),
  "POST /users/{id}/erase": record("user", {
    prepare: ({ world, actor, record }) =>
      world.db
        .updateTable("users")
        .set({ active: 0 })
        .where("id", "=", record.id)
        .where("id", "!=", actor.id)
        .execute(),
    // The actor is no removed user.
    except: ({ relation }) => relation === "own" && 409,
  }),
  "GET /users/{id}/image": record("user"),
  "GET /users/{id}/history": record("user"),
  "GET /branches": list("branch"),
  "POST /branches": alone({
    body: () => ({ ...somewhere, name: `Branch ${++made}` }),
    // A new branch is in the company scope only.
    except: ({ actor }) => !actor.permissions.branches.startsWith("C") && 403,
  }),
  "GET /branches/{id}": record("branch"),
  "PUT /branches/{id}": record("branch", { body: ({ record: { name } }) => ({ ...somewhere, name }) }),
  // Users are at each of them.
  "DELETE /branches/{id}": record("branch", { except: () => 409 }),
  "GET /branches/{id}/image": record("branch"),
  "GET /branches/{id}/history": record("branch"),
  "GET /branches/{id}/users": record("branch"),
  "POST /branches/{id}/users": record("branch", {
    body: ({ actor }) => ({ user: actor.email }),
    // Only administrators move themselves.
    except: ({ actor, relation }) =>
      relation === "other branch’s" &&
      actor.permissions.users.startsWith("C:R/W") &&
      !has(actor.permissions.roles, "write") &&
      403,
  }),
  "GET /company": alone(),
  "PUT /company": alone({ body: () => ({ ...somewhere, name: "Home" }) }),
  "GET /company/image": alone(),
  "GET /access-groups": list("group"),
  "GET /access-groups/{id}": record("group"),
  "GET /access-groups/{id}/history": record("group"),
  "POST /access-groups": alone({ body: () => ({ name: `Group ${++made}` }) }),
  "PUT /access-groups/{id}": record("group", {
    body: ({ actor, relation, record: { name } }) => ({ name, ...(relation === "own" ? actor.permissions : none) }),
  }),
  "DELETE /access-groups/{id}": record("group", { except: ({ relation }) => relation === "own" && 409 }),
  "GET /alerts": list("alert"),
  "GET /alerts/{id}": record("alert"),
  "POST /alerts/{id}/complete": record("alert", { body: () => ({ note: "Looked at" }) }),
  "POST /alerts/{id}/reopen": record("alert", { body: () => ({ reason: "Again" }), except: () => 409 }),
  "GET /alerts/{id}/scans": record("alert"),
  "GET /alerts/{id}/history": record("alert"),
  "GET /scans": list("scan", { query: { per_page: 100 } }),
  "GET /scans/places": alone(),
  "GET /scans/daily": alone(),
  "DELETE /scans/{id}/place": record("scan"),
  "GET /audit": alone(),
  "GET /document-options": alone(),
  "GET /documents": list("document"),
  "GET /documents/{id}": record("document"),
  "GET /documents/{id}/readers": record("document"),
  "GET /documents/{id}/history": record("document"),
  "POST /documents/storeDocument": creation("document", {
    body: ({ world, actor, relation }) =>
      draftForm({ email: kinds.user.find(world, actor, relation === "another group’s" ? "own" : relation).email }, [
        asFile(png, "page.png"),
      ]),
    except: ({ relation }) => relation === "another group’s" && 201,
  }),
  // A key that was used before shows the document to those who may still read it.
  "POST /documents/storeDocument, with a key again": record("issued", {
    headers: { "idempotency-key": "again" },
    prepare: ({ world, actor, record }) =>
      world.db
        .updateTable("documents")
        .set({ created_by: actor.id, idempotency_key: "again", request_digest: null })
        .where("id", "=", record.id)
        .execute(),
    body: ({ actor }) => draftForm({ email: actor.email }, [asFile(png, "page.png")]),
    unreached: 409,
  }),
  "PUT /documents/{id}": record("document", {
    body: ({ world, relation, actor }) => ({
      ...Object.fromEntries(draftForm({ name: "Renamed" }, [])),
      email: kinds.user.find(world, actor, relation === "another group’s" ? "own branch’s" : relation).email,
      users_access_group: relation === "another group’s" ? "Secret" : "Branch staff",
    }),
  }),
  "POST /documents/{id}/archive": record("document"),
  "POST /documents/{id}/restore": record("document"),
  "POST /documents/{id}/exit": record("document"),
  "POST /documents/{id}/reactivate": record("document"),
  "POST /documents/{id}/prolong": record("document", { except: () => 409 }),
  "GET /documents/{id}/pages/{n}": record("document", { params: { n: 1 } }),
  "GET /documents/{id}/pages/{n}/thumbnail": record("document", { params: { n: 1 } }),
  "GET /documents/{id}/qrcode.png": record("document"),
  "GET /documents/{id}/sealed.pdf": record("document"),
  "GET /verify/{code}": alone({ params: openCode }),
  "GET /verify/{code}/pages/{n}": alone({ params: openCode }),
  "POST /verify/{code}/scans": alone({ params: openCode, body: () => ({ number: "" }) }),
  "POST /verify/{code}/location": alone({ params: openCode, body: () => ({ scan: "made-up", place: "Preston" }) }),
  "POST /verify/{code}/complaint": alone({ params: openCode, body: () => ({ scan: "made-up", text: "Not mine" }) }),
  "GET /profile": alone(),
  "PUT /profile": alone({ body: ({ actor: { name, email } }) => ({ name, email }) }),
  "GET /profile/image": alone(),
  "PUT /profile/password": alone({ body: () => newPassword }),
  "POST /profile/email": alone({ body: () => ({ email: newEmail() }) }),
  "DELETE /profile/email": alone(),
  "POST /profile/email/again": alone({
    prepare: async ({ world, actor: { token } }) =>
      token && world.call("changeEmail", { token, body: { email: newEmail() } }),
  }),
  "DELETE /users/{id}/email": record("user"),
  // Nothing waits.
  "POST /users/{id}/email/again": record("user", { except: () => 409 }),
  "GET /email-confirmation": alone(),
  "POST /email-confirmation": alone(),
  "GET /profile/sessions": alone(),
  "DELETE /profile/sessions": alone(),
  "DELETE /profile/sessions/{id}": alone({
    params: { id: 1 },
    prepare: ({ world, actor }) => openFirstSession(world, actor),
  }),
  "GET /users/{id}/sessions": record("user"),
  "DELETE /users/{id}/sessions": record("user"),
  "DELETE /users/{id}/sessions/{session}": record("user", {
    params: { session: 1 },
    prepare: async ({ world, record }) => record.id !== missing.id && openFirstSession(world, record),
  }),
  "GET /tariffs": alone(),
  "PUT /company/tariff": alone({ body: () => ({ tariff: 4 }) }),
  "GET /company/bill": alone(),
  "GET /help": alone(),
};

/** Gives a user a session whose number is 1. */
async function openFirstSession({ db }: World, { id: user_id }: { id: number }) {
  const at = "2026-11-21T10:00:00.000Z";
  const times = { created_at: at, used_at: at, expires_at: "2026-12-21T10:00:00.000Z" };
  const session = { hash: `first ${++made}`, kind: "session", user_id, public_id: 1, ...times } as const;
  await db.insertInto("tokens").values(session).execute();
}

const whatToAdd =
  "Give each endpoint a line in `rows` of access-matrix.test.ts: alone(), list(kind), record(kind) or creation(kind, …); " +
  "a new kind of record goes into `kinds`";

/** A company with an actor for each group and records at each relation, and another company with the same. */
async function makeWorld() {
  const provider = await testProvider();
  const { db, company, branch, group, user, issue } = provider;
  const [home, foreign] = [await company("Home"), await company("Foreign")];
  const [preston, leeds] = [await branch(home.id, "Preston"), await branch(home.id, "Leeds")];
  const elsewhere = await branch(foreign.id, "Elsewhere");
  const scoped = (permission: string) => ({
    docs: permission,
    branches: permission,
    alerts: permission,
    map: permission,
    users: permission,
  });
  await group(home.id, "Whole company", { ...scoped("C:R/W/C"), co_profile: "C:R/W", tariffs: "C:R/W", roles: "C:R" });
  await group(home.id, "One branch", { ...scoped("B:R/W/C"), co_profile: "C:R", roles: "C:R/C" });
  await group(home.id, "Own only", { ...scoped("P:R/W/C"), tariffs: "C:R" });
  await group(home.id, "Read own", scoped("P:R"));
  await group(home.id, "Nothing", {});
  await group(home.id, "Secret", {});
  const spare = await group(home.id, "Spare", {});
  await group(foreign.id, "Nothing", {});

  const documentOf = async (token: string, email: string, fields = {}) =>
    (await issue(token, { email, ...fields })).json.id;
  const actors: MatrixUser[] = [];
  const own: Record<string, number> = {};
  const groups = await db.selectFrom("access_groups").where("company_id", "=", home.id).selectAll().execute();
  for (const row of groups.filter(({ name }) => !["Secret", "Spare"].includes(name))) {
    const who = row.name;
    const permissions = Object.fromEntries(areas.map((area) => [area, row[area]])) as Record<Area, string>;
    const actor = {
      ...(await user(home.id, { name: who, group: who, branchId: preston.id })),
      who,
      permissions,
      group: row,
    };
    actors.push(actor);
    own[who] = (await issue(home.admin.token, { email: actor.email, number: `OWN ${who}` })).json.id;
  }
  actors.push({ ...actors[0]!, who: "nobody", token: undefined, permissions: none as Record<Area, string> });
  own.nobody = own[actors[0]!.who]!;

  const owner = async (name: string, document?: { branch_id?: number; fields?: object }) => {
    const { id, email } = await user(home.id, { name, group: "Read own", branchId: preston.id });
    if (document) {
      const issued = await documentOf(home.admin.token, email, document.fields);
      const { branch_id = preston.id } = document;
      await db.updateTable("documents").set({ branch_id }).where("id", "=", issued).execute();
    }
    return { id, name, email, staff: "Read own", branch: "Preston" };
  };
  const colleague = await user(home.id, { name: "Colleague", group: "Nothing", branchId: preston.id });
  const distant = await user(home.id, { name: "Distant", group: "Nothing", branchId: leeds.id });
  const stranger = await user(foreign.id, { name: "Stranger", group: "Nothing", branchId: elsewhere.id });
  const world = {
    ...provider,
    actors,
    users: {
      "own branch’s": { ...colleague, staff: "Nothing", branch: "Preston" },
      "other branch’s": { ...distant, staff: "Nothing", branch: "Leeds" },
      "other company’s": { ...stranger, staff: "Nothing", branch: "Elsewhere" },
    } as Partial<Record<Relation, MatrixRecord>>,
    owners: {
      "own branch’s": await owner("Owner of nothing"),
      "other branch’s": await owner("Owner elsewhere", { branch_id: leeds.id }),
      "another group’s": await owner("Owner of a secret", { fields: { users_access_group: "Secret" } }),
      "other company’s": { ...stranger, staff: "Nothing", branch: "Elsewhere" },
    } as Partial<Record<Relation, MatrixRecord>>,
    branches: {
      "own branch’s": { ...preston, name: "Preston" },
      "other branch’s": { ...leeds, name: "Leeds" },
      "other company’s": { ...elsewhere, name: "Elsewhere" },
    } as Partial<Record<Relation, MatrixRecord>>,
    groups: {
      "own branch’s": { ...spare, name: "Spare" },
      "other company’s": { id: await foreignGroup(), name: "Administrator" },
    } as Partial<Record<Relation, MatrixRecord>>,
    documents: {
      own,
      "own branch’s": await documentOf(home.admin.token, colleague.email),
      "other branch’s": await documentOf(home.admin.token, distant.email),
      "another group’s": await documentOf(home.admin.token, colleague.email, { users_access_group: "Secret" }),
      "other company’s": await documentOf(foreign.admin.token, stranger.email),
    } as Record<Exclude<Relation, "own">, number> & { own: Record<string, number> },
  };
  const alerts = new Map<number, MatrixRecord>();
  const scans = new Map<number, MatrixRecord>();
  for (const { id, company_id } of await db.selectFrom("documents").select(["id", "company_id"]).execute()) {
    alerts.set(id, await raise(company_id, id));
    scans.set(id, await scan(company_id, id));
  }
  const open = await documentOf(foreign.admin.token, stranger.email, { access_type: "Open to all" });
  const { code } = await db.selectFrom("documents").where("id", "=", open).select("code").executeTakeFirstOrThrow();
  const pictureKey = "images/of-everybody";
  await provider.services.files.put(pictureKey, Readable.from([png]));
  for (const table of ["users", "branches", "companies"] as const) {
    await db
      .updateTable(table as "users")
      .set({ image_key: pictureKey })
      .execute();
  }
  return { ...world, alerts, scans, code, reset: await resetting(db) };

  async function raise(company_id: number, document_id: number) {
    const at = { day: "2026-11-20", date: "2026-11-20T09:14:00.000Z", latitude: null, longitude: null, accuracy: null };
    const what = { alert: "Fake scan", status: 1, reason: "Scanned twice.", rule: "rule", count: 1, note: "" } as const;
    const row = { company_id, document_id, number: document_id, ...at, ...what, version: 1 };
    return db.insertInto("alerts").values(row).returning("id").executeTakeFirstOrThrow();
  }

  async function scan(company_id: number, document_id: number) {
    const at = { day: "2026-11-20", at: "2026-11-20T09:14:00.000Z", latitude: 53.4, longitude: -2.2, accuracy: 40 };
    const row = { company_id, document_id, ...at, address_hash: "", key_hash: "", place: "", suspicion: 0, staff: 0 };
    return db.insertInto("scans").values(row).returning("id").executeTakeFirstOrThrow();
  }

  async function foreignGroup() {
    const groups = db.selectFrom("access_groups").where("company_id", "=", foreign.id);
    return (await groups.select("id").executeTakeFirstOrThrow()).id;
  }
}

/** Remembers the rows that calls change; what it returns puts those back that are not as they were. */
async function resetting(db: TestProvider["db"]) {
  const tables = ["companies", "branches", "access_groups", "users", "documents", "alerts", "scans"] as const;
  const rowsOf = (table: string) =>
    db
      .selectFrom(table as "users")
      .selectAll()
      .execute();
  const kept = await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const));
  const tokens = await db.selectFrom("tokens").selectAll().execute();
  return async () => {
    for (const [table, rows] of kept) {
      const now = new Map((await rowsOf(table)).map((row) => [row.id, JSON.stringify(row)]));
      for (const { id, ...row } of rows.filter((row) => now.get(row.id) !== JSON.stringify(row)))
        await db
          .updateTable(table as "users")
          .set(row)
          .where("id", "=", id)
          .execute();
    }
    const missing = db.insertInto("tokens").values(tokens);
    await missing.onConflict((conflict) => conflict.column("hash").doNothing()).execute();
  };
}

let world: Promise<World> | undefined;
const theWorld = () => (world ??= makeWorld());

/** Whether a permission string gives a right: write and create bring read with them. */
function has(permission: string, right: "read" | "write" | "create") {
  const letters = permission.split(":")[1]?.split("/") ?? [];
  return right === "read" ? letters.length > 0 : letters.includes(right[0]!.toUpperCase());
}

type Operation = { "x-area"?: Area; "x-right"?: "read" | "write" | "create"; security: object[]; responses: object };

async function operations(): Promise<Record<string, Operation>> {
  const { call } = await theWorld();
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

/** The status that must come. */
function expected(operation: Operation, row: Row, asked: MatrixCase): number {
  const { "x-area": area, "x-right": right } = operation;
  const { actor, relation } = asked;
  const good = Number(Object.keys(operation.responses).find((status) => status.startsWith("2")));
  if (!actor.token) return 401;
  if (!area || !right) return good;
  if (!has(actor.permissions[area], right)) return 403;
  const usually = (status: number) => (row.except && row.except(asked)) || status;
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

const missing = {
  id: 2 ** 31 - 1,
  name: "Missing",
  email: "missing@company.example",
  branch: "Missing",
  staff: "Nothing",
};

describe.runIf(hasDatabase())("the access matrix", () => {
  test("covers every endpoint", async () => {
    const described = Object.keys(await operations());
    expect(
      described.filter((endpoint) => !(endpoint in rows)),
      whatToAdd,
    ).toEqual([]);
    expect(
      Object.keys(rows).filter((row) => !described.includes(endpointOf(row))),
      "No longer there",
    ).toEqual([]);
  });

  test("covers groups of every scope, and one without rights", async () => {
    const { actors } = await theWorld();
    const scopes = actors.map(({ permissions }) => permissions.docs.split(":")[0]);
    expect(new Set(scopes)).toEqual(new Set(["C", "B", "P", ""]));
  });

  test.each(Object.entries(rows))("%s answers each as their group says", { timeout: 240_000 }, async (line, row) => {
    const endpoint = endpointOf(line);
    const world = await theWorld();
    const operation = (await operations())[endpoint]!;
    const isPublic = operation.security.length === 0;
    const wrong: string[] = [];
    const answers = new Set<string>();
    for (const actor of world.actors) {
      const ask = async (asked: Omit<MatrixCase, "world" | "actor">, id = asked.record.id) => {
        const params = typeof row.params === "function" ? row.params(world) : row.params;
        const sent: Sent = { params: { id, ...params }, ...(row.query && { query: row.query }) };
        if (actor.token) sent.token = actor.token;
        // No rate limits.
        sent.address = `192.0.2.${++made % 250}`;
        if (row.headers) sent.headers = row.headers;
        await row.prepare?.({ world, actor, ...asked });
        if (row.body) sent.body = row.body({ world, actor, ...asked });
        const answer = await world.call(nameOf(endpoint), sent);
        if (row.prepare || (!endpoint.startsWith("GET ") && answer.status < 300)) await world.reset();
        return answer;
      };
      const kind: Kind | undefined = row.kind && kinds[row.kind];
      const finding = (relation: Relation) => kind?.find(world, actor, relation) ?? { id: 0 };
      for (const relation of kind && row.how !== "list" ? kind.places : (["own"] as const)) {
        const asked = { world, actor, relation, record: finding(relation) };
        const answer = await ask(asked);
        // What a call makes is new each time; what it shows is the same for all.
        const shown = endpoint.startsWith("GET ") ? Buffer.from(answer.bytes).toString("base64") : "";
        answers.add(`${answer.status} ${shown}`);
        if (isPublic) continue;
        const status = expected(operation, row, asked);
        if (answer.status !== status) {
          wrong.push(`${actor.who}, ${relation} ${row.kind ?? ""}: ${answer.status} instead of ${status}`);
        }
        if (relation === "other company’s") {
          const none = await ask({ relation, record: missing }, missing.id);
          const same = [answer, none].map(({ status, headers, bytes }) => [status, [...headers], Buffer.from(bytes)]);
          expect(same[0], `${actor.who} can tell another company’s ${row.kind} from a missing one`).toEqual(same[1]);
        }
        if (row.how === "list" && kind && answer.status === 200) {
          const shown = new Set((answer.json as MatrixRecord[]).map(({ id }) => id));
          for (const relation of kind.places) {
            const letter = actor.permissions[operation["x-area"]!][0]!;
            const isShown = shown.has(kind.find(world, actor, relation).id);
            if (isShown !== kind.reaches(letter, relation, actor)) {
              wrong.push(`${actor.who}, ${relation} ${row.kind}: ${isShown ? "shown" : "not shown"}`);
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    // Public calls ignore sessions.
    if (isPublic) expect(answers.size, "everybody is answered alike").toBe(1);
  });
});
