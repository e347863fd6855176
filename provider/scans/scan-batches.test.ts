import { beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../access.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { actorOf } from "../sessions/tokens.ts";
import { readScans } from "./scan-batches.ts";
import type { scanRows } from "./scan-queries.ts";

const suite = describe.runIf(hasDatabase());

const idOnly = (scans: ReturnType<typeof scanRows>) => scans.clearSelect().select("scans.id");
const everything = { kind: ["scans" as const, "suspicions" as const], date_from: undefined, date_to: undefined };
const place = { latitude: 53.48081, longitude: -2.24263, accuracy: 40, place: "" };
const nowhere = { latitude: null, longitude: null, accuracy: null, place: "" };

suite("scans in the order of their time", () => {
  let provider: TestProvider;
  let admin: Actor;
  let reader: Actor;
  /** The second is of the reader's branch. */
  let documents: number[];

  async function addScan(document_id: number, at: string, where: typeof place | typeof nowhere, suspicion = 0) {
    const day = at.slice(0, 10);
    const row = { ...where, company_id: admin.company_id, document_id, at, day, suspicion };
    const added = provider.db.insertInto("scans").values({ ...row, staff: 0, address_hash: "", key_hash: "" });
    return (await added.returning("id").executeTakeFirstOrThrow()).id;
  }

  beforeAll(async () => {
    provider = await testProvider();
    const { db, clock, company, branch, group, user, issue } = provider;
    const { id, admin: founder } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const near = await user(id, { branchId });
    await group(id, "Map of a branch", { map: "B:R", alerts: "B:R" });
    const { token } = await user(id, { branchId, group: "Map of a branch" });
    [admin, reader] = [(await actorOf(db, founder.token, clock.now))!, (await actorOf(db, token, clock.now))!];
    documents = [(await issue(founder.token)).json.id, (await issue(founder.token, { email: near.email })).json.id];
  });

  test("are the same however many are read at a time, in both directions and up to any limit", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 17; n++) {
      // Some at the same time, some on the next day.
      const at = `2026-11-${n < 9 ? 19 : 20}T09:${10 + Math.floor(n / 3)}:00.000Z`;
      ids.push(await addScan(documents[n % 2]!, at, n % 5 === 4 ? nowhere : place, n % 3 === 0 ? 1 : 0));
    }
    type Read = { isDescending: boolean; countLimit: number; skip?: number; size?: number };
    const findScans = async (actor: Actor, filters: object, read: Read) => {
      const reads = [1, 2, 3, 100].map(async (batchSize) => {
        const query = { ...read, filters: { ...everything, ...filters }, batchSize, select: idOnly };
        const { rows, count } = await readScans(provider.db, actor, query);
        return { ids: rows.map(({ id }) => id), count };
      });
      const [first, ...others] = await Promise.all(reads);
      for (const other of others) expect(other).toEqual(first);
      return first;
    };
    const placed = ids.filter((_, n) => n % 5 !== 4);
    const all = { isDescending: false, countLimit: 100 };
    const whole = (ids: number[]) => ({ ids, count: ids.length });
    expect(await findScans(admin, {}, all)).toEqual(whole(placed));
    expect(await findScans(admin, {}, { isDescending: true, countLimit: 4 })).toEqual(
      whole(placed.toReversed().slice(0, 4)),
    );
    const part = { ...all, skip: 5, size: 4 };
    expect(await findScans(admin, {}, part)).toEqual({ ids: placed.slice(5, 9), count: placed.length });
    expect(await findScans(admin, {}, { ...part, skip: 50 })).toEqual({ ids: [], count: placed.length });
    const suspicions = placed.filter((id) => ids.indexOf(id) % 3 === 0);
    expect(await findScans(admin, { kind: ["suspicions"] }, all)).toEqual(whole(suspicions));
    expect(await findScans(reader, {}, all)).toEqual(whole(placed.filter((id) => ids.indexOf(id) % 2 === 1)));
    const laterIds = placed.filter((id) => ids.indexOf(id) >= 9);
    expect(await findScans(admin, { date_from: "2026-11-20", date_to: "9999-12-31" }, all)).toEqual(whole(laterIds));
    const early = placed.filter((id) => ids.indexOf(id) < 9);
    expect(await findScans(admin, { date_to: "2026-11-19" }, all)).toEqual(whole(early));
  });

  test("are each read once, whatever is added meanwhile", async () => {
    const query = { filters: everything, isDescending: true, countLimit: 100, select: idOnly };
    const before = await readScans(provider.db, admin, query);
    let queryCount = 0;
    const adding = provider.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // The first query tells where the first batch ends.
        if (queryCount++ > 0) await addScan(documents[0]!, "2026-11-21T09:00:00.000Z", place);
        return result;
      },
    });
    const during = await readScans(adding, admin, { ...query, batchSize: 2 });
    expect(during.rows).toEqual(before.rows);
  });
});
