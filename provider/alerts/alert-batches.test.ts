import { describe, expect, test } from "vitest";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
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
    const newest = instants.filter((date) => date >= since).toReversed();
    const read = createAlertReader(db);
    for (const size of [1, 2, 3, 4, 13, 14, 15]) {
      for (const atMost of [1, 4, 100]) {
        const alertIds: string[] = [];
        let end: string | undefined;
        for await (const { rows, until } of read(actor, { since, atMost, batchSize: size })) {
          alertIds.push(...rows.map(({ date }) => date));
          if (until) expect(rows.every(({ date }) => date >= until)).toBe(true);
          end = until;
        }
        // The oldest of the first that are inspected, and all of its time.
        expect(alertIds, `${size} in a step, ${atMost} in all`).toEqual(newest.filter((date) => !end || date >= end));
        expect(end === undefined).toBe(atMost === 100);
      }
    }
  });

  test("are each reader's own, also of documents that another reader asked about before", async () => {
    const provider = await testProvider();
    const { db, clock } = provider;
    const { id: companyId, admin } = await provider.company();
    await provider.group(companyId, "Alerts of my own", { alerts: "P:R" });
    const owners = [
      await provider.user(companyId, { group: "Alerts of my own" }),
      await provider.user(companyId, { group: "Alerts of my own" }),
    ];
    const read = createAlertReader(db);
    const documents: number[] = [];
    // Some documents are known to the reader by then, and some are not.
    for (let round = 1; round <= 2; round++) {
      for (const { email } of owners) {
        documents.push((await provider.issue(admin.token, { email })).json.id);
        await alertOf(provider, { companyId, documentId: documents.at(-1)! });
      }
      for (const [n, { token }] of owners.entries()) {
        const alertIds = [];
        const actor = (await actorOf(db, token, clock.now))!;
        for await (const { rows } of read(actor, { since: "2026-11-01", atMost: 100 })) alertIds.push(...rows);
        expect(alertIds.map(({ document_id }) => document_id).toSorted((a, b) => a - b)).toEqual(
          documents.filter((_, document) => document % 2 === n),
        );
      }
    }
  });
});
