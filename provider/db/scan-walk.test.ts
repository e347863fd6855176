import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "../testing.ts";
import { actorOf } from "../tokens.ts";
import { walkScans } from "./scan-walk.ts";

const suite = describe.runIf(hasDatabase());

const everything = { date_from: undefined, date_to: undefined };

suite("scans in the order of their time", () => {
  test("are the same ones however many are read at a time, to and fro, and as many as are wanted", async () => {
    const { db, clock, company, branch, group, user, issue } = await testProvider();
    const { id: company_id, admin } = await company();
    const { id: branchId } = await branch(company_id, "Preston");
    const near = await user(company_id, { branchId });
    await group(company_id, "Map of a branch", { map: "B:R", alerts: "B:R" });
    const reader = await user(company_id, { branchId, group: "Map of a branch" });
    const documents = [(await issue(admin.token)).json.id, (await issue(admin.token, { email: near.email })).json.id];
    const place = { latitude: 53.48081, longitude: -2.24263, accuracy: 40, place: "" };
    const nowhere = { latitude: null, longitude: null, accuracy: null, place: "" };
    const ids: number[] = [];
    for (let n = 0; n < 17; n++) {
      const { id } = await db
        .insertInto("scans")
        .values({
          ...(n % 5 === 4 ? nowhere : place),
          company_id,
          document_id: documents[n % 2]!,
          // Some at the same time.
          at: `2026-11-20T09:${10 + Math.floor(n / 3)}:00.000Z`,
          day: "2026-11-20",
          suspicion: n % 3 === 0 ? 1 : 0,
          staff: 0,
          address_hash: "",
          key_hash: "",
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.push(id);
    }
    const found = async (token: string, kind: ("scans" | "suspicions")[], walk: { isDown: boolean; most: number }) => {
      const actor = (await actorOf(db, token, clock.now))!;
      const reads = [1, 2, 3, 100, Infinity].map(async (atOnce) => {
        const rows = await walkScans(db, actor, { ...everything, kind }, { ...walk, atOnce }, (all) =>
          all.clearSelect().select("scans.id"),
        );
        return rows.map(({ id }) => id);
      });
      const [first, ...others] = await Promise.all(reads);
      for (const other of others) expect(other).toEqual(first);
      return first;
    };
    const placed = ids.filter((_, n) => n % 5 !== 4);
    const all = { isDown: false, most: 100 };
    expect(await found(admin.token, [], all)).toEqual(placed);
    expect(await found(admin.token, [], { isDown: true, most: 4 })).toEqual(placed.toReversed().slice(0, 4));
    expect(await found(admin.token, ["suspicions"], all)).toEqual(placed.filter((id) => ids.indexOf(id) % 3 === 0));
    expect(await found(reader.token, [], all)).toEqual(placed.filter((id) => ids.indexOf(id) % 2 === 1));
  });
});
