import { describe, expect, test } from "vitest";
import type { Call } from "../contract/call.ts";
import { type CallName, calls } from "../contract/calls.ts";
import { areas } from "../contract/permissions.ts";
import { inCompanyTransaction } from "../db/company.ts";
import type { Tables } from "../db/tables.ts";
import { companySigner } from "../seal/signer.ts";
import { asFile, pngFile } from "#fixtures/files.ts";
import { templateFile } from "#fixtures/templates.ts";
import { draftForm, hasDatabase, password, type TestProvider, testProvider } from "#fixtures/provider.ts";

/**
 * Every writing call × what can happen to its user between the head of the request and the change: then nothing
 * changes. A body can take minutes to arrive, so rights are read again after it and in the transaction.
 */

const suite = describe.runIf(hasDatabase());

type Db = TestProvider["db"];
type World = Awaited<ReturnType<typeof makeWorld>>;
type User = { id: number; token: string };

/** What happens to the user, and what they are answered. */
const fates = {
  "was removed": {
    status: 401,
    happens: (db: Db, { id }: User) => db.updateTable("users").set({ active: 0 }).where("id", "=", id).execute(),
  },
  "was signed out": {
    status: 401,
    happens: (db: Db, { id }: User) => db.deleteFrom("tokens").where("user_id", "=", id).execute(),
  },
  "came into a group without the right": {
    status: 403,
    happens: (db: Db, { id }: User, { nothing }: World) =>
      db.updateTable("users").set({ access_group_id: nothing }).where("id", "=", id).execute(),
  },
} as const;
type Fate = keyof typeof fates;

type Sending = {
  id?: (world: World) => number;
  /** The copy that the path names. */
  n?: number;
  /** The number of the session that the path names, if it names one. */
  session?: (world: World, actor: User) => Promise<number>;
  body?: (world: World) => object | FormData;
};

const { png, place } = {
  png: await pngFile(30, 40),
  place: { country: "United Kingdom", city: "Preston" },
};
const withPicture = (fields: object) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append("image", asFile(png, "picture.png"));
  return form;
};
const draft = (world: World) => draftForm({ email: world.admin.email }, [asFile(png, "page.png")]);
const templatePdf = await templateFile();
const aTemplate = (name: string) => {
  const form = new FormData();
  form.append("name", name);
  form.append("file", asFile(templatePdf, "template.pdf"));
  return form;
};
let users = 0;
const newUser = (name: string) =>
  withPicture({ name, email: `new-${++users}@company.example`, staff: "Administrator" });

/** One line for every call that changes something. */
const sendings: Partial<Record<CallName, Sending>> = {
  createUser: { body: () => newUser("New") },
  updateUser: { id: ({ colleague }) => colleague.id, body: () => newUser("Changed") },
  removeUser: { id: ({ colleague }) => colleague.id },
  inviteUser: { id: ({ invited }) => invited },
  reactivateUser: { id: ({ returning }) => returning },
  createAccessGroup: { body: () => ({ name: "Another" }) },
  updateAccessGroup: { id: ({ nothing }) => nothing, body: () => ({ name: "Renamed", docs: "C:R" }) },
  removeAccessGroup: { id: ({ spare }) => spare },
  updateCompany: { body: () => withPicture({ ...place, name: "Renamed" }) },
  createBranch: { body: () => withPicture({ ...place, name: "Leeds" }) },
  updateBranch: { id: ({ branchId }) => branchId, body: () => withPicture({ ...place, name: "Renamed" }) },
  removeBranch: { id: ({ branchId }) => branchId },
  addUserToBranch: { id: ({ branchId }) => branchId, body: ({ colleague }) => ({ user: colleague.id }) },
  completeAlert: { id: ({ alert }) => alert, body: () => ({ note: "Looked at" }) },
  reopenAlert: { id: ({ completed }) => completed, body: () => ({ reason: "Again" }) },
  storeDocument: { body: draft },
  updateDocument: { id: ({ active }) => active, body: (world) => Object.fromEntries(draftFields(world)) },
  archiveDocument: { id: ({ active }) => active },
  restoreDocument: { id: ({ archived }) => archived },
  exitDocument: { id: ({ active }) => active },
  reactivateDocument: { id: ({ exited }) => exited },
  withdrawCopy: { id: ({ copied }) => copied, n: 1, body: () => ({ reason: "lost" }) },
  restoreCopy: { id: ({ copied }) => copied, n: 2 },
  prolongDocument: { id: ({ active }) => active },
  createTemplate: { body: () => aTemplate("Another") },
  updateTemplate: { id: ({ template }) => template, body: () => aTemplate("Renamed") },
  removeTemplate: { id: ({ template }) => template },
  updateProfile: { body: () => withPicture({ name: "Changed", email: "changed@company.example" }) },
  changePassword: {
    body: () => ({ old_password: password, password: `${password} two`, password_confirmation: `${password} two` }),
  },
  removeScanPlace: { id: ({ scan }) => scan },
  changeEmail: { body: () => ({ email: "changed@company.example" }) },
  cancelEmail: {},
  eraseUser: { id: ({ former }) => former },
  endOtherSessions: {},
  endOwnSession: { session: (world, actor) => sessionOf(world, actor.id) },
  endUserSessions: { id: ({ colleague }) => colleague.id },
  endUserSession: { id: ({ colleague }) => colleague.id, session: (world) => sessionOf(world, world.colleague.id) },
  resendEmail: {},
  cancelUserEmail: { id: ({ colleague }) => colleague.id },
  resendUserEmail: { id: ({ colleague }) => colleague.id },
  changeTariff: { body: () => ({ tariff: 5 }) },
  nameSealKeys: { body: () => ({ name_beside_keys: true }) },
  rotateSealKey: { body: () => ({ current_password: "" }) },
  revokeSealKey: { id: ({ sealKey }) => sealKey, body: () => ({ revoked_reason: "unspecified" }) },
};

const dated = { expire_type: "date", expire_date: "2027-11-21", prolongation: "1" };
const draftFields = (world: World) => [...draftForm({ email: world.admin.email, name: "Renamed", ...dated }, [])];

/** Ending a session needs no right, and checking a document or a file, or trying a template, changes nothing. */
const harmless: CallName[] = ["logout", "checkDocument", "checkDocumentFile", "fillTemplate"];

async function makeWorld() {
  const provider = await testProvider();
  const { company, branch, group, user, issue, call, db } = provider;
  const { id, admin } = await company();
  await group(id, "Everything", Object.fromEntries(areas.map((area) => [area, "C:R/W/C"])));
  const nothing = await group(id, "Nothing", {});
  const spare = await group(id, "Spare", {});
  const branchId = (await branch(id, "Preston")).id;
  const colleague = await user(id, { name: "Colleague", group: "Nothing" });
  const documents = [];
  for (const fields of [dated, {}, {}, { copies: "2" }])
    documents.push((await issue(admin.token, fields)).json.id as number);
  const [active, archived, exited, copied] = documents as [number, number, number, number];
  const lost = { token: admin.token, params: { id: copied, n: 2 }, body: { reason: "lost" } };
  await call("withdrawCopy", lost);
  await call("archiveDocument", { token: admin.token, params: { id: archived } });
  await call("exitDocument", { token: admin.token, params: { id: exited } });
  const raised = { company_id: id, document_id: active, day: "2026-11-21", date: "2026-11-21T09:00:00.000Z" } as const;
  const what = { alert: "Fake scan", reason: "", count: 1, note: "", version: 1 } as const;
  const where = { latitude: null, longitude: null, accuracy: null };
  const alerts = await db
    .insertInto("alerts")
    .values([1, 3].map((status) => ({ ...raised, ...what, ...where, rule: `${status}`, number: status, status })))
    .returning("id")
    .execute();
  const [alert, completed] = alerts.map((row) => row.id) as [number, number];
  const former = (await user(id, { name: "Former" })).id;
  const returning = (await user(id, { name: "Returning" })).id;
  for (const removed of [former, returning]) await call("removeUser", { token: admin.token, params: { id: removed } });
  const invited = (await user(id, { name: "Invited" })).id;
  await db.updateTable("users").set({ password_hash: null }).where("id", "=", invited).execute();
  await companySigner(provider.services, id);
  const { id: sealKey } = await db.selectFrom("seal_keys").select("id").executeTakeFirstOrThrow();
  const template = (await call("createTemplate", { token: admin.token, body: aTemplate("Certificate") })).json.id;
  const records = {
    template: template as number,
    sealKey,
    former,
    returning,
    invited,
    nothing: nothing.id,
    spare: spare.id,
    branchId,
    colleague,
    active,
    archived,
    exited,
    copied,
  };
  const scan = await scanWithPlace(provider, active);
  return { ...provider, companyId: id, admin, alert, completed, scan, ...records };
}

const sessionOf = async ({ db }: World, userId: number) => {
  const sessions = db.selectFrom("tokens").where("user_id", "=", userId).where("public_id", "is not", null);
  return (await sessions.select("public_id").executeTakeFirst())?.public_id ?? 1;
};

async function scanWithPlace({ call, db }: TestProvider, document: number) {
  const { code } = await db.selectFrom("documents").where("id", "=", document).select("code").executeTakeFirstOrThrow();
  const params = { code };
  const { scan } = (await call("recordScan", { params, body: {} })).json;
  await call("locateScan", { params, body: { scan, latitude: 53.5, longitude: -2.2, accuracy: 20 } });
  return (await db.selectFrom("scans").select("id").executeTakeFirstOrThrow()).id;
}

let made: Promise<World> | undefined;
const theWorld = () => (made ??= makeWorld());

const tables = [
  "companies",
  "branches",
  "access_groups",
  "users",
  "tokens",
  "email_changes",
  "documents",
  "document_copies",
  "custom_fields",
  "page_files",
  "alerts",
  "scans",
  "audit",
  "outbox",
  "seal_keys",
  "templates",
] as const satisfies (keyof Tables)[];

/** Everything that a call could change but what happens to the user themselves, and all files. */
async function stateWithout({ db, services }: World, actor: User) {
  const rows = await Promise.all(
    tables.map((table) =>
      db
        .selectFrom(table as "audit")
        .selectAll()
        .execute(),
    ),
  );
  const isOthers = (row: { id?: number | string; user_id?: number }, table: string) =>
    table === "users" ? row.id !== actor.id : row.user_id !== actor.id;
  const files = [];
  for await (const key of services.files.keys()) files.push(key);
  return [...tables.map((table, n) => [table, rows[n]!.filter((row) => isOthers(row, table))]), files.toSorted()];
}

/** The user's own row, but for what the fate changed in it. */
const ownRow = async ({ db }: World, { id }: User) => {
  const row = await db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  return { ...row, active: 0, access_group_id: 0 };
};

async function requestOf(
  world: World,
  name: CallName,
  actor: User,
  { body, type }: { body?: BodyInit; type?: string } = {},
) {
  const { method, path }: Call = calls[name];
  const { id, n, session } = sendings[name]!;
  const own = await session?.(world, actor);
  const filled = path
    .replace("{session}", String(own))
    .replace("{id}", String(id?.(world) ?? own))
    .replace("{n}", String(n));
  const headers = { authorization: `Bearer ${actor.token}`, ...(type && { "content-type": type }) };
  const init = { method, headers, ...(body && { body, duplex: "half" }) };
  return new Request(`http://provider/api${filled}`, init as RequestInit);
}

/** A call's body as bytes, with its type. */
async function encoded(world: World, name: CallName) {
  const body = sendings[name]!.body?.(world);
  if (!body) return undefined;
  const sent = new Response(body instanceof FormData ? body : JSON.stringify(body));
  const type = body instanceof FormData ? sent.headers.get("content-type")! : "application/json";
  return { body: new Uint8Array(await sent.arrayBuffer()), type };
}

/** Sends a call whose body begins, and goes on once something has happened. */
async function whileItArrives(world: World, name: CallName, actor: User, happens: () => Promise<unknown>) {
  const { body: bytes, type } = (await encoded(world, name))!;
  const parts = [bytes.subarray(0, 10), bytes.subarray(10)];
  const body = new ReadableStream<Uint8Array>(
    {
      // Read for the first time after the user was looked up.
      async pull(controller) {
        if (parts.length === 1) await happens();
        controller.enqueue(parts.shift()!);
        if (parts.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return world.provider.fetch(await requestOf(world, name, actor, { body, type }), { clientAddress: "192.0.2.1" });
}

/** Sends a call, and has something happen after its user was last looked up outside of the transaction. */
async function beforeItActs(world: World, name: CallName, actor: User, happens: (db: Db) => Promise<unknown>) {
  const encodedBody = await encoded(world, name);
  const request = await requestOf(world, name, actor, encodedBody);
  const lookups = encodedBody ? 2 : 1;
  let found = 0;
  const fetch = (then: () => void) =>
    world.provider.fetch(request, { clientAddress: "192.0.2.1", onUser: () => ++found === lookups && then() });
  if (!world.isShared) {
    // One connection, which serves in the order of asking.
    let happened: Promise<unknown> | undefined;
    const answer = await fetch(() => (happened = happens(world.db)));
    await happened;
    return answer;
  }
  let answer: Promise<Response>;
  await inCompanyTransaction(world.db, world.companyId, async (transaction) => {
    await new Promise<void>((resolve) => {
      answer = fetch(resolve);
    });
    await happens(transaction);
  });
  return answer!;
}

const writing = (Object.keys(calls) as CallName[]).filter((name) => {
  const { method, access }: Call = calls[name];
  return method !== "GET" && access !== "public" && !harmless.includes(name);
});

const moments = { "while it arrives": whileItArrives, "before it acts": beforeItActs };
type Moment = keyof typeof moments;

const cases = writing.flatMap((name) => {
  const { access, body }: Call = calls[name];
  const moments: Moment[] = body ? ["while it arrives", "before it acts"] : ["before it acts"];
  const possible = (Object.keys(fates) as Fate[]).filter(
    (fate) => access !== "signed-in" || fates[fate].status === 401,
  );
  return moments.flatMap((moment) =>
    possible.map((fate) => [`${name}, whose user ${fate} ${moment}`, { name, moment, fate }] as const),
  );
});

suite("A call whose user loses the right during it", () => {
  test("covers every writing call", () => {
    expect(writing.filter((name) => !sendings[name])).toEqual([]);
  });

  test.each(cases)("%s, changes nothing", async (_, { name, moment, fate }) => {
    const world = await theWorld();
    const actor = await world.user(world.companyId, { name: "Una", group: "Everything" });
    const [before, own] = [await stateWithout(world, actor), await ownRow(world, actor)];
    const { happens, status } = fates[fate];
    const answer = await moments[moment](world, name, actor, (db?: Db) => happens(db ?? world.db, actor, world));
    expect(answer.status).toBe(status);
    expect(await stateWithout(world, actor)).toEqual(before);
    expect(await ownRow(world, actor)).toEqual(own);
  });

  test("is otherwise done", async () => {
    const world = await makeWorld();
    const actor = await world.user(world.companyId, { name: "Una", group: "Everything" });
    for (const name of [...writing.filter((name) => !last.includes(name)), ...last]) {
      const encodedBody = await encoded(world, name);
      const request = await requestOf(world, name, actor, encodedBody);
      const answer = await world.provider.fetch(request, { clientAddress: "192.0.2.1" });
      expect(answer.status, `${name}: ${await answer.text()}`).toBe(calls[name].status);
    }
  });
});

/** After these, others would find nothing to change. */
const last: CallName[] = [
  "exitDocument",
  "archiveDocument",
  "endUserSession",
  "endUserSessions",
  "removeUser",
  "removeAccessGroup",
  "removeBranch",
  "endOwnSession",
];
