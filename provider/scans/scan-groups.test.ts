import { setImmediate as turn } from "node:timers/promises";
import { type CompiledQuery, type KyselyPlugin, RawNode } from "kysely";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { createScanGroups, type NewScan } from "./groups.ts";
import { judgeScans } from "./judging/judge.ts";
import { forgedCode } from "./judging/rules.ts";

const suite = describe.runIf(hasDatabase());

async function withGroups() {
  const provider = await withScans();
  let inserts = 0;
  const { db } = provider;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.join().includes("insert into scans (")) inserts++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const groups = createScanGroups({ db: db.withPlugin(counting) });
  const scan = (n: number): NewScan => ({
    company_id: provider.companyId,
    document_id: provider.document.id,
    copy: null,
    at: "2026-11-21T10:00:00.000Z",
    day: "2026-11-21",
    address_hash: "",
    key_hash: `key ${n}`,
    staff: 0,
    suspicion: 0,
    place: "",
    verdict: "in force",
    signature: "",
    findings: n % 2 === 0 ? [] : undefined,
  });
  const stored = async () =>
    (await db.selectFrom("scans").select("key_hash").orderBy("id").execute()).map(({ key_hash }) => key_hash);
  return { ...provider, groups, scan, stored, inserts: () => inserts };
}

/** An object with some of its members replaced. */
const standIn = <T extends object>(of: T, otherwise: Record<string, unknown>) =>
  new Proxy(of, {
    get(target, name) {
      const value: unknown = otherwise[String(name)] ?? Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });

suite("scans that come together", () => {
  test("share a commit, and are acknowledged once it is made", async () => {
    const { groups, scan, stored, inserts, db } = await withGroups();
    await Promise.all([1, 2, 3, 4].map((n) => groups.store(scan(n))));
    expect(inserts()).toBe(1);
    expect(await stored()).toEqual(["key 1", "key 2", "key 3", "key 4"]);
    const queued = await db
      .selectFrom("scans_to_judge")
      .innerJoin("scans", "id", "scan_id")
      .select("key_hash")
      .execute();
    expect(queued.map(({ key_hash }) => key_hash).toSorted()).toEqual(["key 2", "key 4"]);
  });

  test("share a commit if each arrives in its own turn of the event loop, as connections do", async () => {
    const { groups, scan, stored, inserts } = await withGroups();
    for (let tries = 1, took = Infinity; took > 1; tries++) {
      const [began, before] = [performance.now(), inserts()];
      const storing = [];
      for (let n = 0; n < 5; n++) {
        storing.push(groups.store(scan(5 * tries + n)));
        await turn();
      }
      // Other work of the machine may have come between them: once more, until it does not.
      took = performance.now() - began;
      await Promise.all(storing);
      expect(await stored()).toHaveLength(5 * tries);
      if (took <= 1) expect(inserts() - before).toBe(1);
    }
  });

  test("do not fail because one of them can't be stored", async () => {
    const { groups, scan, stored, companyId, db } = await withGroups();
    const wrong = { ...scan(2), document_id: 1_000_000 };
    const results = await Promise.allSettled([scan(1), wrong, scan(3)].map((one) => groups.store(one)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await stored()).toEqual(["key 1", "key 3"]);
    // Counters are part of the group.
    const days = await db.selectFrom("scan_days").where("company_id", "=", companyId).select("scans").execute();
    expect(days).toEqual([{ scans: 2 }]);
    await groups.store(scan(4));
    expect(await stored()).toHaveLength(3);
  });

  test("are not stored twice if the reply to their commit was lost", async () => {
    const { scan, stored, db } = await withGroups();
    let attempts = 0;
    const unanswered = async (commit: () => Promise<unknown>) => {
      attempts++;
      await commit();
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
    };
    const executor = standIn(db.getExecutor(), {
      executeQuery: (query: CompiledQuery) => unanswered(() => db.getExecutor().executeQuery(query)),
    });
    const transaction = { execute: (work: never) => unanswered(() => db.transaction().execute(work)) };
    const breaking = standIn(db, { getExecutor: () => executor, transaction: () => transaction });
    const groups = createScanGroups({ db: breaking });
    const results = await Promise.allSettled([1, 2, 3].map((n) => groups.store(scan(n))));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await stored()).toEqual(["key 1", "key 2", "key 3"]);
    expect(attempts).toBe(1);
  });

  test("are refused if too many wait, and accepted again afterwards", async () => {
    const { groups, scan, stored } = await withGroups();
    const waiting = Array.from({ length: 2000 }, (_, n) => groups.store(scan(n)));
    expect(groups.isFull()).toBe(true);
    expect(() => groups.store(scan(2000))).toThrow("Too many codes are being checked");
    await Promise.all(waiting);
    await groups.store(scan(2001));
    expect(await stored()).toHaveLength(2001);
  });
});

suite("the rules", () => {
  test("look at each company's scans in turns, so that a crowd at one keeps no other's alerts back", async () => {
    const { company, issue, companyId, services, groups, scan, db } = await withGroups();
    const other = await company();
    const { json: document } = await issue(other.admin.token);
    // More than two turns, each of a day of its own, as a document has one alert a day.
    const crowd = Array.from({ length: 101 }, (_, n) => ({ ...scan(n), day: `day ${n}`, findings: [forgedCode] }));
    for (const one of crowd) await groups.store(one);
    const single = { company_id: other.id, document_id: document.id, findings: [forgedCode] };
    await groups.store({ ...scan(101), ...single });
    await judgeScans(services, new AbortController().signal, 0);
    const alerts = await db.selectFrom("alerts").select("company_id").orderBy("id").execute();
    expect(alerts).toHaveLength(102);
    expect(alerts.findIndex(({ company_id }) => company_id === other.id)).toBe(50);
    expect(alerts.filter(({ company_id }) => company_id === companyId)).toHaveLength(101);
  });
});
