import { describe, expect, inject, test } from "vitest";
import { branchForm } from "#tests/fixtures/forms.ts";
import { afterTests, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { startSyslogServer } from "#tests/support/syslog-server.ts";
import { minutesInMs } from "#lib/units.ts";
import { setShipping, shippingLag } from "./ship.ts";
import type { SyslogServer } from "./syslog.ts";

const suite = describe.runIf(hasDatabase());

/** What RFC 5424 says of a message without structured data. */
const form = /^<(\d+)>1 (\S+Z) (\S+) sealdesk - ([!-~]{1,32}) - (\{.*\})$/s;
const job = "audit shipping";

async function withReceiver(change: Partial<SyslogServer> = {}) {
  const receiver = await startSyslogServer();
  afterTests(receiver.goAway);
  const provider = await testProvider({ auditSyslog: { ...receiver.address, ...change } });
  await setShipping(provider.services);
  const company = await provider.company();
  const received = () =>
    receiver.received.map((message) => {
      const [, priority, at, host, name, json] = form.exec(message)!;
      return { priority: Number(priority), at, host, name, entry: JSON.parse(json!) as Record<string, unknown> };
    });
  const add = (name: string) =>
    provider.call("createBranch", { token: company.admin.token, body: { ...branchForm, name } });
  const names = () => received().map(({ entry }) => entry.entity_name);
  return {
    ...provider,
    ...company,
    receiver,
    received,
    names,
    add,
    lag: () => shippingLag(provider.db, provider.clock.now),
  };
}

suite("the audit trail at a syslog server", () => {
  test("has entries of all companies in order, as messages of RFC 5424 with the company's id", async () => {
    const { id, add, call, clerkOf, received, run } = await withCompanies();
    await add("North");
    await call("login", { body: { email: clerkOf.email, password: "wrong" } });
    await add("South");
    await run(job);
    const ofBoth = received().filter(({ entry }) => ["branch", "user"].includes(entry.entity as string));
    const [north, failed, south] = ofBoth.slice(-3);
    expect(north).toMatchObject({
      priority: 13 * 8 + 5,
      at: "2026-11-21T10:00:00.000Z",
      host: "sealdesk.example",
      name: "added",
      entry: { company_id: id, entity_name: "North", actor: "Ada Admin", trail: "changes", count: 1 },
    });
    expect(failed).toMatchObject({ priority: 13 * 8 + 4, name: "sign-in-failed", entry: { trail: "access" } });
    expect(failed!.entry.company_id).not.toBe(id);
    expect(south!.entry.entity_name).toBe("South");
  });

  test("waits while the server is away, and loses and repeats nothing", async () => {
    const { receiver, add, names, run, lag, clock } = await withReceiver();
    await run(job);
    await receiver.goAway();
    await add("North");
    await expect(run(job)).rejects.toThrow("ECONNREFUSED");
    clock.now = new Date(clock.now.getTime() + minutesInMs(3));
    await add("South");
    expect(await lag()).toBe(180);
    await receiver.comeBack();
    receiver.received.length = 0;
    await run(job);
    expect(names()).toEqual(["North", "South"]);
    await run(job);
    expect(names()).toHaveLength(2);
    expect(await lag()).toBe(0);
  });

  test("is sent again to a server that falls over while it reads", async () => {
    const { receiver, add, names, run } = await withReceiver();
    await run(job);
    receiver.received.length = 0;
    receiver.state.isFalling = true;
    await add("North");
    await expect(run(job)).rejects.toThrow();
    expect(names()).toEqual([]);
    receiver.state.isFalling = false;
    await run(job);
    expect(names()).toEqual(["North"]);
  });

  test("has an entry again when it is counted up", async () => {
    const { admin, call, received, run } = await withReceiver();
    const guess = () => call("login", { body: { email: admin.email, password: "wrong" } });
    const counts = () => received().flatMap(({ name, entry }) => (name === "sign-in-failed" ? [entry.count] : []));
    await guess();
    await run(job);
    expect(counts()).toEqual([1]);
    await guess();
    await guess();
    await run(job);
    expect(counts()).toEqual([1, 3]);
  });

  test("shortens an entry that receivers might cut", async () => {
    const { admin, id, db, received, run, clock } = await withReceiver();
    const changes = JSON.stringify([{ field: "info", before: null, after: "é".repeat(5000) }]);
    const subject = { entity: "user", entity_id: admin.id, entity_name: "Ada Admin", action: "changed" };
    const entry = { company_id: id, at: clock.now.toISOString(), actor_id: 0, actor: "", ...subject, changes };
    await db.insertInto("audit").values(entry).execute();
    await run(job);
    expect(received().at(-1)!.entry).toMatchObject({ changes: [{ field: "info" }], isShortened: true });
  });

  test("goes to no server that its authority does not vouch for", async () => {
    const other = await startSyslogServer();
    afterTests(other.goAway);
    const { receiver, add, run, lag, clock } = await withReceiver({ ca: other.address.ca });
    await add("North");
    clock.now = new Date(clock.now.getTime() + minutesInMs(1));
    await expect(run(job)).rejects.toThrow(/self-signed|certificate/);
    expect(receiver.received).toEqual([]);
    expect(await lag()).toBe(60);
  });

  test("is queued only while it is shipped", async () => {
    const { add, db, services } = await withReceiver();
    const queue = () => db.selectFrom("audit_queue").select("id").execute();
    expect(await queue()).not.toEqual([]);
    const unsent = (await queue()).length;
    const warned: object[] = [];
    const log = { ...services.log, warn: (event: object) => void warned.push(event) };
    await setShipping({ ...services, auditSyslog: undefined, log });
    expect(warned).toEqual([{ unsent }]);
    await add("North");
    expect(await queue()).toEqual([]);
  });

  test.runIf(inject("database") === "postgres")("lacks no entry whose transaction ends after a later one", async () => {
    const { id, add, names, db, clock, run } = await withReceiver();
    const slow = await db.startTransaction().execute();
    const subject = { entity: "branch", entity_id: 1, entity_name: "Slow", action: "changed", changes: "[]" };
    const entry = { company_id: id, at: clock.now.toISOString(), actor_id: 0, actor: "", ...subject };
    await slow.insertInto("audit").values(entry).execute();
    await add("North");
    await run(job);
    expect(names().at(-1)).toBe("North");
    await slow.commit().execute();
    await run(job);
    expect(names().at(-1)).toBe("Slow");
  });
});

async function withCompanies() {
  const fixture = await withReceiver();
  const other = await fixture.company();
  return { ...fixture, clerkOf: await fixture.user(other.id, { group: "Branch Inspector", name: "Cora Clerk" }) };
}
