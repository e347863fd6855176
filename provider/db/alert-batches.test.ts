import { describe, expect, test } from "vitest";
import { alertOf } from "#fixtures/alerts.ts";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";
import { actorOf } from "../sessions/tokens.ts";
import { createAlertReader } from "./alert-batches.ts";

const suite = describe.runIf(hasDatabase());

suite("alerts of a user who sees a part, by time", () => {
  test("are the same however many are looked at in a turn, and end where they were asked to", async () => {
    const provider = await testProvider();
    const { db, clock } = provider;
    const { id: companyId, admin } = await provider.company();
    await provider.group(companyId, "Alerts of my own", { alerts: "P:R" });
    const owner = await provider.user(companyId, { group: "Alerts of my own" });
    const [theirs, own] = [
      (await provider.issue(admin.token)).json.id as number,
      (await provider.issue(admin.token, { email: owner.email })).json.id as number,
    ];
    const instants: string[] = [];
    for (let n = 0; n < 20; n++) {
      // Three at each time.
      const date = `2026-11-19T09:${10 + Math.floor(n / 3)}:00.000Z`;
      await alertOf(provider, { companyId, documentId: n % 2 ? own : theirs, rule: `rule ${n}`, date });
      if (n % 2) instants.push(date);
    }
    const actor = (await actorOf(db, owner.token, clock.now))!;
    const since = "2026-11-19T09:12:00.000Z";
    for (const batchSize of [1, 2, 3, 4, 19, 20, 21]) {
      const read = [];
      for await (const { rows, until } of createAlertReader(db)(actor, { since, atMost: 100, batchSize })) {
        read.push(...rows.map(({ date }) => date));
        if (until) expect(rows.every(({ date }) => date >= until)).toBe(true);
      }
      expect(read).toEqual(instants.filter((date) => date >= since).toReversed());
    }
  });
});
