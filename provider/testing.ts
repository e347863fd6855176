import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { z } from "zod";
import { openPageFiles } from "#page-files/page-files.ts";
import { fold } from "#storage/database.ts";
import { openFiles } from "#storage/open-files.ts";
import { templateDatabase } from "#storage/testing.ts";
import { createAccessTrail } from "./audit/access-trail.ts";
import type { Browser } from "./sessions/browsers.ts";
import { type CallName, calls } from "./contract/calls.ts";
import type { Call } from "./contract/call.ts";
import { Refusal } from "./contract/fields.ts";
import type { Area } from "./contract/permissions.ts";
import type { Tables } from "./db/tables.ts";
import { providerJobs } from "./jobs.ts";
import type { Letter } from "./mail/mail.ts";
import { createProvider } from "./provider.ts";
import { asFile, pngFile } from "./testing-files.ts";
import { mailJob, type Services } from "./services.ts";
import { foundCompany, named, newUser } from "./sessions/signup.ts";
import { issueToken } from "./sessions/tokens.ts";

/** For the provider's tests: a provider on a database of its own, called as the contract says, in process. */

export type Sent = {
  token?: string;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  /** JSON, or a form if it is one. */
  body?: object | FormData;
  headers?: Record<string, string>;
  address?: string;
  /** The browser that the web app says it comes from. */
  browser?: Browser;
  /** Whether a program calls, and no page of ours. */
  isApi?: boolean;
  /** Aborted where the client goes away. */
  signal?: AbortSignal;
};

export { hasDatabase } from "#storage/testing.ts";
export { password } from "./testing-template.ts";

export type TestProvider = Awaited<ReturnType<typeof testProvider>>;

const endings: (() => Promise<void>)[] = [];

/** Has something ended after the last test of this file. */
export const afterTests = (end: () => Promise<void>) => void endings.push(end);

/** Closes the providers of a test file, after its last test (`testing-setup.ts`). */
export async function endProviders() {
  for (const end of endings.splice(0)) await end();
}

/** One for all test files of a worker, as it takes longer to start than for most of its jobs. It ends with the worker. */
const pageFiles = openPageFiles();

type Setting = {
  /** How many points a rate limit has, in place of the usual ones. */
  points?(limit: string, usual: number): number;
};

export async function testProvider(change: Partial<Services> = {}, { points = (_, usual) => usual }: Setting = {}) {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-test-"));
  const { open, drop } = await templateDatabase(directory);
  const database = open();
  const db = database.tables<Tables>();
  const mails: Letter[] = [];
  let delivered = Promise.resolve();
  const waits: number[] = [];
  const clock = { now: new Date("2026-11-21T10:00:00Z") };
  const services: Services = {
    db,
    limiter: (name, usual, seconds) => database.limiter(name, points(name, usual), seconds),
    removeExpiredCounts: database.removeExpiredCounts,
    files: await openFiles({ directory: join(directory, "files") }),
    pageFiles,
    mail: { send: async (letter) => void mails.push(letter) },
    nudgeMail() {
      delivered = delivered.then(() => job(mailJob));
    },
    nudgeDrawing: () => {},
    quotas: { companyBytes: Infinity },
    publicUrl: "https://sealdesk.example",
    log: { info: () => {}, warn: () => {}, error: ({ err }: { err?: unknown }) => console.error(err) },
    // Written after each call (`call`).
    access: createAccessTrail({ db, log: console, now: () => clock.now, soon: () => {} }),
    auditDays: { changes: 0, access: 365 },
    now: () => clock.now,
    // Nothing waits in tests, but for those that say otherwise.
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...change,
  };
  const jobs = providerJobs(services, () => 0);
  const job = (name: string) => jobs.find((job) => job.name === name)!.run(new AbortController().signal);
  const provider = createProvider(services);
  const passwordHash = inject("passwordHash");
  endings.push(async () => {
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });

  /** Makes a call and holds its answer against the contract. What it wrote to people has been sent by then. */
  async function call(name: CallName, sent: Sent = {}) {
    const declared: Call = calls[name];
    const path = declared.path.replace(/\{(\w+)\}/g, (_, parameter: string) => String(sent.params?.[parameter]));
    const query = new URLSearchParams(Object.entries(sent.query ?? {}).map(([key, value]) => [key, String(value)]));
    const headers = new Headers(sent.headers);
    if (sent.token) headers.set("authorization", `Bearer ${sent.token}`);
    const isForm = sent.body instanceof FormData;
    if (sent.body && !isForm) headers.set("content-type", "application/json");
    const body = isForm ? (sent.body as FormData) : sent.body && JSON.stringify(sent.body);
    const init = { method: declared.method, ...(sent.signal && { signal: sent.signal }) };
    const request = new Request(`http://provider/api${path}?${query}`, { ...init, headers, body });
    const from = { clientAddress: sent.address ?? "192.0.2.1", browser: sent.browser, isApi: sent.isApi ?? false };
    const response = await provider.fetch(request, from);
    await delivered;
    await services.access.write();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const json = isJson ? await response.json() : undefined;
    holdAgainst(declared, response, json);
    return { status: response.status, headers: response.headers, bytes, json: json as any };
  }

  /** Does one of the provider's jobs once. What it wrote to people has been sent by then. */
  async function run(name: string) {
    await job(name);
    await delivered;
  }

  /** A company with its three access groups and an administrator, who is signed in. */
  async function company(name = `Company ${randomUUID().slice(0, 8)}`) {
    const email = `admin-${randomUUID().slice(0, 8)}@company.example`;
    const adminId = await foundCompany(db, { company: name, name: "Ada Admin", email }, passwordHash, clock.now);
    const { company_id: id } = await db
      .selectFrom("users")
      .where("id", "=", adminId)
      .select("company_id")
      .executeTakeFirstOrThrow();
    const token = await issueToken(db, "session", adminId, clock.now);
    return { id, name, admin: { id: adminId, email, token } };
  }

  async function branch(companyId: number, name: string, manager_id: number | null = null) {
    const place = {
      email: "",
      phone: "",
      country: "United Kingdom",
      city: "Preston",
      index: "PR1",
      address: "",
      image_key: null,
    };
    return db
      .insertInto("branches")
      .values({ ...place, company_id: companyId, name, name_key: fold(name), manager_id, active: 1, version: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
  }

  /** A user of a company in one of its access groups, signed in. */
  async function user(
    companyId: number,
    more: { group?: string; branchId?: number; name?: string; role?: string } = {},
  ) {
    const { group = "Administrator", name = "Uma User", role = "" } = more;
    const { id: access_group_id } = await db
      .selectFrom("access_groups")
      .where("company_id", "=", companyId)
      .where("name", "=", group)
      .select("id")
      .executeTakeFirstOrThrow();
    const email = `user-${randomUUID().slice(0, 8)}@company.example`;
    const { id } = await db
      .insertInto("users")
      .values({
        ...newUser,
        ...named(name, email),
        company_id: companyId,
        branch_id: more.branchId ?? null,
        access_group_id,
        role,
        password_hash: passwordHash,
        created_at: clock.now.toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, email, name, token: await issueToken(db, "session", id, clock.now) };
  }

  /** A further access group of a company, empty but for the given permissions. */
  async function group(companyId: number, name: string, permissions: Partial<Record<Area, string>>) {
    const none = { docs: "", co_profile: "", branches: "", tariffs: "", alerts: "", map: "", users: "", roles: "" };
    return db
      .insertInto("access_groups")
      .values({ ...none, ...permissions, company_id: companyId, name, name_key: fold(name), version: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
  }

  /** Issues a document; `fields` change the usual draft, `undefined` leaves one out. */
  async function issue(token: string, fields: Record<string, unknown> = {}, pages?: File[], headers = {}) {
    const { json: me } = await call("currentUser", { token });
    const form = draftForm({ email: me.email, ...fields }, pages ?? [asFile(await pngFile(), "page.png")]);
    return call("storeDocument", { token, body: form, headers });
  }

  return {
    call,
    run,
    company,
    branch,
    user,
    group,
    issue,
    db,
    services,
    mails,
    waits,
    clock,
    provider,
    isShared: database.isShared,
  };
}

/** A complete draft as a form, which `fields` change. */
export function draftForm(fields: Record<string, unknown>, pages: File[]): FormData {
  const draft = {
    document_type: "Contract",
    document_subtype: "Lease",
    name: "Lease of a hall",
    date: "2026-11-21",
    expire_type: "never",
    access_type: "QR access",
    users_access_group: "Branch staff",
    ...fields,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(draft)) if (value !== undefined) form.append(name, String(value));
  for (const page of pages) form.append("files[]", page);
  return form;
}

/** Every answer is one that the contract declares: the status, and the shape that goes with it. */
function holdAgainst(declared: Call, response: Response, json: unknown) {
  const { status } = response;
  if (status === declared.status || status === 206 || status === 416) {
    if (declared.reply === null) return expect(json).toBeUndefined();
    if (!(declared.reply instanceof z.ZodType)) {
      if (status !== 416) expect(declared.reply.mediaTypes).toContain(response.headers.get("content-type"));
      return;
    }
    // The same with unknown fields refused would be stricter still; what comes back must be what the schema keeps.
    return expect(declared.reply.parse(json)).toEqual(json);
  }
  // 503: where no work is taken on just now.
  const always = [401, 403, 404, 422, 503];
  expect([...always, ...(declared.refusals ?? [])]).toContain(status);
  Refusal.strict().parse(json);
}
