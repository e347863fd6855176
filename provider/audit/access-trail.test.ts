import { describe, expect, test } from "vitest";
import { maxRowsPerDay } from "./access-trail.ts";
import { hasDatabase, password, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";
import { daysInMs, minutesInMs } from "#lib/units.ts";
import { issueToken } from "../sessions/tokens.ts";

/** The audit trail of access: sign-ins, refusals and downloads. */

const suite = describe.runIf(hasDatabase());

type Entry = Record<string, unknown> & { action: string; count: number };

/** The entries of access that an administrator finds, the newest first. */
async function accessSeenBy({ call, db, clock }: TestProvider, { id }: { id: number }, query = {}): Promise<Entry[]> {
  const token = await issueToken(db, "session", id, clock.now);
  const { json } = await call("listAudit", { token, query: { trail: "access", per_page: 100, ...query } });
  return json;
}

const brief = ({ actor, action, entity, entity_name, count }: Entry) => [actor, action, entity, entity_name, count];
const firefox = { token: "a browser’s token", label: "Firefox on Windows" };

async function withClerk() {
  const provider = await testProvider();
  const { id, admin } = await provider.company();
  const clerk = await provider.user(id, { group: "Branch Inspector", name: "Cora Clerk" });
  const advance = (by: number) => (provider.clock.now = new Date(provider.clock.now.getTime() + by));
  return { ...provider, companyId: id, admin, clerk, advance };
}

suite("the audit trail of sign-ins", () => {
  test("shows sign-ins and sign-outs with browser and network but no address", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const from = { browser: firefox, address: "198.51.100.77" };
    const { json } = await call("login", { body: { email: clerk.email, password }, ...from });
    await call("logout", { token: json.token, address: "2001:db8:1:2::77" });
    const entries = await accessSeenBy(provider, admin);
    expect(entries.map(brief)).toEqual([
      ["Cora Clerk", "signed out", "user", "Cora Clerk", 1],
      ["Cora Clerk", "signed in", "user", "Cora Clerk", 1],
    ]);
    expect(entries[1]).toMatchObject({ browser: "Firefox on Windows", network: "198.51.100.0/24", trail: "access" });
    expect(entries[0]!.network).toBe("2001:db8:1::/48");
    expect(JSON.stringify(entries)).not.toContain("198.51.100.77");
  });

  test("counts failed sign-ins in one entry for an account, network and day", async () => {
    const provider = await withClerk();
    const { call, admin, clerk, advance } = provider;
    const fail = (address: string) => call("login", { body: { email: clerk.email, password: "wrong" }, address });
    for (let n = 0; n < 3; n++) {
      await fail(`198.51.100.${n}`);
      advance(minutesInMs(1));
    }
    await fail("203.0.113.9");
    const entries = await accessSeenBy(provider, admin);
    expect(entries.map(brief)).toEqual([
      ["A visitor", "sign-in failed", "user", "Cora Clerk", 1],
      ["A visitor", "sign-in failed", "user", "Cora Clerk", 3],
    ]);
    expect(entries[1]).toMatchObject({ at: "2026-11-21T10:02:00.000Z", first_at: "2026-11-21T10:00:00.000Z" });
    advance(daysInMs(1));
    await fail("203.0.113.9");
    expect((await accessSeenBy(provider, admin)).map(({ count }) => count)).toEqual([1, 1, 3]);
  });

  test("shows when sign-ins to an account were limited and delayed", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    for (let n = 0; n < 12; n++) await call("login", { body: { email: clerk.email, password: "wrong" } });
    await call("login", { body: { email: clerk.email, password: "wrong" }, address: "203.0.113.9" });
    const counts = Object.fromEntries(
      (await accessSeenBy(provider, admin)).map(({ action, count }) => [action, count]),
    );
    expect(counts["sign-ins limited"]).toBe(2);
    expect(counts["sign-ins slowed down"]).toBe(1);
  });

  test("has no entries about addresses without an account", async () => {
    const provider = await withClerk();
    for (let n = 0; n < 12; n++) {
      await provider.call("login", { body: { email: "nobody@company.example", password: "wrong" } });
    }
    expect(await provider.db.selectFrom("audit").where("trail", "=", "access").selectAll().execute()).toEqual([]);
  });

  test("from many networks has a limited number of entries a day and an overflow entry", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const maxRows = maxRowsPerDay["sign-in failed"];
    for (let n = 0; n < maxRows + 5; n++) {
      await call("login", { body: { email: clerk.email, password: "wrong" }, address: `198.51.${n}.1` });
    }
    const failed = await accessSeenBy(provider, admin, { action: "sign-in failed" });
    expect(failed).toHaveLength(maxRows + 1);
    expect(failed.filter(({ network }) => network === "")).toMatchObject([{ count: 5, entity_name: "Cora Clerk" }]);
  });

  test("of a client that signs in all the time has a limited number of entries a day", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const maxRows = maxRowsPerDay["signed in"];
    for (let n = 0; n < maxRows + 3; n++) await call("login", { body: { email: clerk.email, password } });
    const signIns = await accessSeenBy(provider, admin, { action: "signed in" });
    expect([signIns.length, Math.max(...signIns.map(({ count }) => count))]).toEqual([maxRows + 1, 3]);
  });

  test("shows who ended whose sessions", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    await call("endUserSessions", { token: admin.token, params: { id: clerk.id } });
    const [entry] = await accessSeenBy(provider, admin);
    expect(brief(entry!)).toEqual(["Ada Admin", "session ended", "user", "Cora Clerk", 1]);
    expect(entry!.changes).toEqual([{ field: "sessions", before: null, after: 1 }]);
  });
});

suite("the audit trail of refused rights", () => {
  test("shows refused writes of pages and all refused calls of API clients", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const { token } = clerk;
    for (let n = 0; n < 3; n++) await call("removeUser", { token, params: { id: admin.id } });
    await call("listAudit", { token, isApi: true });
    await call("listAudit", { token });
    const entries = await accessSeenBy(provider, admin);
    expect(entries.map(brief)).toEqual([
      ["Cora Clerk", "access refused", "request", "The company's audit trail, for administrators", 1],
      ["Cora Clerk", "access refused", "request", "Deactivate a user", 3],
    ]);
  });

  test("shows each refusal that depends on a record", async () => {
    const provider = await withClerk();
    const { call, companyId, group, user, admin } = provider;
    await group(companyId, "Keepers", { users: "C:R/W" });
    const keeper = await user(companyId, { group: "Keepers", name: "Kit Keeper" });
    await call("removeUser", { token: keeper.token, params: { id: admin.id } });
    expect((await accessSeenBy(provider, admin)).map(brief)).toEqual([
      ["Kit Keeper", "access refused", "request", "Deactivate a user", 1],
    ]);
  });
});

suite("the audit trail of downloads", () => {
  test("has one entry for each user, document, kind of file and hour", async () => {
    const provider = await withClerk();
    const { call, issue, admin, advance } = provider;
    const { token } = admin;
    const { json: document } = await issue(token, { name: "Lease of a hall" });
    const params = { id: document.id };
    for (let n = 0; n < 3; n++) await call("getSealedPdf", { token, params });
    await call("getSealedPdf", { token, params, headers: { range: "bytes=100-" } });
    await call("getPageFile", { token, params: { ...params, n: 1 } });
    await call("getPageThumbnail", { token, params: { ...params, n: 1 }, query: { page: 1 } });
    advance(minutesInMs(61));
    await call("getSealedPdf", { token, params });
    const entries = await accessSeenBy(provider, admin);
    expect(entries.map((entry) => [...brief(entry), (entry.changes as { after: string }[])[0]!.after])).toEqual(
      expect.arrayContaining([
        ["Ada Admin", "downloaded", "document", "Lease of a hall", 1, "Sealed PDF"],
        ["Ada Admin", "downloaded", "document", "Lease of a hall", 1, "Page file"],
        ["Ada Admin", "downloaded", "document", "Lease of a hall", 3, "Sealed PDF"],
      ]),
    );
    expect(entries).toHaveLength(3);
  });

  test("is written after the reply, in one batch", async () => {
    const provider = await withClerk();
    const { services, issue, admin, db } = provider;
    const { json: document } = await issue(admin.token);
    let written = 0;
    const { record } = services.access;
    services.access.record = (entry) => {
      record(entry);
      written++;
    };
    const rows = () => db.selectFrom("audit").where("action", "=", "downloaded").selectAll().execute();
    const before = await provider.provider.fetch(
      new Request(`http://provider/api/documents/${document.id}/sealed.pdf`, {
        headers: { authorization: `Bearer ${admin.token}` },
      }),
      { clientAddress: "192.0.2.1" },
    );
    expect([before.status, written, await rows()]).toEqual([200, 1, []]);
    await services.access.flush();
    expect(await rows()).toHaveLength(1);
  });
});

suite("the two trails", () => {
  test("are filtered separately, and histories show changes only", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    await call("login", { body: { email: clerk.email, password } });
    const find = async (trail: string) =>
      (await call("listAudit", { token: admin.token, query: { trail, per_page: 100 } })).json.map(brief);
    expect(await find("Access")).toHaveLength(1);
    expect(await find("changes")).toHaveLength(2);
    expect(await find("")).toHaveLength(3);
    expect((await call("listAudit", { token: admin.token, query: { trail: "other" } })).status).toBe(422);
    const { json } = await call("userHistory", { token: admin.token, params: { id: clerk.id } });
    expect(json).toEqual([]);
  });

  test("have a retention each", async () => {
    const provider = await withClerk();
    const { call, run, clerk, services, advance, db } = provider;
    await call("login", { body: { email: clerk.email, password } });
    const trails = async () => (await db.selectFrom("audit").select("trail").execute()).map(({ trail }) => trail);
    advance(daysInMs(364));
    await run("audit");
    expect(await trails()).toContain("access");
    advance(daysInMs(2));
    await run("audit");
    expect([...new Set(await trails())]).toEqual(["changes"]);
    services.auditDays.changes = 300;
    await run("audit");
    expect(await trails()).toEqual([]);
  });

  test("are deleted in batches that shutdown can interrupt", async () => {
    const provider = await withClerk();
    const { db, companyId, run, clock } = provider;
    const row = {
      company_id: companyId,
      actor_id: 0,
      actor: "",
      action: "exported",
      entity: "list",
      entity_id: 0,
    } as const;
    const old = {
      ...row,
      entity_name: "users",
      changes: "[]",
      trail: "access",
      at: "2020-01-01T00:00:00.000Z",
    } as const;
    for (let n = 0; n < 5; n++)
      await db
        .insertInto("audit")
        .values(Array.from({ length: 500 }, () => old))
        .execute();
    await run("audit");
    expect(
      await db
        .selectFrom("audit")
        .where("at", "<", clock.now.toISOString())
        .where("trail", "=", "access")
        .selectAll()
        .execute(),
    ).toEqual([]);
  });
});
