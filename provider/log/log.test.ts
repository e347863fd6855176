import { describe, expect, test } from "vitest";
import { openCheckpoint } from "#lib/log/checkpoints.ts";
import { readNoteKey } from "#lib/log/notes.ts";
import { hashOfLeaf, verifyInclusion } from "#lib/log/tree.ts";
import { createHash } from "node:crypto";
import { checkpointNote, logReport } from "#tests/fixtures/log.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { daysInMs } from "#lib/units.ts";
import { enterExisting } from "./existing.ts";
import { numberEntries } from "./number.ts";
import { documentLog } from "./log-entry.ts";
import { entryProof } from "./proofs.ts";

const suite = describe.runIf(hasDatabase());

/** Entries of a company's beginning, and of the log's. */
const began = 3;
const prolonged = { date: "2026-11-01", expire_type: "date", expire_date: "2026-12-31", prolongation: "1" };
const placed = { qr_placing: "top-left:first:medium" };

/** A company whose documents have been issued, and a log that has them. */
async function withLog() {
  const provider = await testProvider();
  const { call, company, issue, run, db, services } = provider;
  const { id: companyId, admin } = await company();
  const { token } = admin;
  await run("log");
  const kinds = async () => {
    const rows = await db.selectFrom("log_entries").orderBy("id").select("record").execute();
    // After those of the company's own beginning.
    return rows.map(({ record }) => (JSON.parse(record) as { kind: string }).kind).slice(began);
  };
  const issued = async (fields: Record<string, unknown> = {}) => (await issue(token, fields)).json;
  const act = (name: "exitDocument" | "reactivateDocument", id: number) => call(name, { token, params: { id } });
  const { signal } = new AbortController();
  return { ...provider, services, companyId, admin, token, kinds, issued, act, signal };
}

const firstEntry = async (stores: Parameters<typeof documentLog>[0], id: number) =>
  (await documentLog(stores, id, "UTC"))?.entries?.first;

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest();

suite("the log", () => {
  test("has an entry for all that happens to a document, a key, and whatever the audit trail has", async () => {
    const { call, token, kinds, issued, act, run, db } = await withLog();
    const { id } = await issued({ ...placed, ...prolonged, copies: "2" });
    await act("exitDocument", id);
    await act("reactivateDocument", id);
    await call("prolongDocument", { token, params: { id } });
    await call("withdrawCopy", { token, params: { id, n: 2 }, body: { reason: "lost" } });
    await issued({ ...placed, replaces: id });
    await call("createWithdrawalReason", { token, body: { name: "Recalled" } });
    await run("seals");
    const [key] = (await call("listSealKeys", { token })).json;
    await call("revokeSealKey", { token, params: { id: key.id }, body: { revoked_reason: "compromised" } });
    expect(await kinds()).toEqual([
      "issued",
      "exited",
      "reactivated",
      "prolonged",
      "copy withdrawn",
      "exited",
      "issued",
      "audit",
      "seal key made",
      "seal key revoked",
      "audit",
    ]);
    await run("log");
    const numbers = await db.selectFrom("log_entries").orderBy("id").select("number").execute();
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, n) => n));
  });

  test("has a proof of each document, by its checkpoint, its record and its salt alone", async () => {
    const provider = await withLog();
    const { issued, run, services, call } = provider;
    for (let n = 0; n < 5; n++) await issued();
    const document = await issued({ number: "NM-PROVEN" });
    expect(await firstEntry(services, document.id)).toBeUndefined();
    await run("log");
    const proof = await entryProof(services, (await firstEntry(services, document.id))!);
    const { index, preimage } = proof!;
    const [{ key }] = (await call("publishedLogs")).json;
    const { size, root } = openCheckpoint(await checkpointNote(provider), [readNoteKey(key)!])!;
    const leaf = hashOfLeaf(sha256(preimage));
    expect(verifyInclusion({ index, size, root, leaf, proof: proof!.proof })).toBe(true);
    const [instant, record] = preimage.subarray(16).toString().split("\n");
    expect(instant).toBe("2026-11-21T10:00:00.000Z");
    expect(JSON.parse(record!)).toMatchObject({
      kind: "issued",
      number: "NM-PROVEN",
      status: "active",
      document: sha256(document.code).toString("base64url"),
    });
    expect(record).not.toContain(document.code);
  });

  test("has consecutive numbers, whoever numbers at the same time", async () => {
    const { issued, services, db, signal } = await withLog();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 5; n++) {
          await issued();
          await numberEntries(services, signal);
        }
      }),
    );
    const rows = await db.selectFrom("log_entries").orderBy("number").select("number").execute();
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 + began }, (_, n) => n));
  });

  test("dates no entry before the one that it follows, whatever the clock says", async () => {
    const provider = await withLog();
    const { issued, run, clock, db } = provider;
    await issued();
    await run("log");
    clock.now = new Date(clock.now.getTime() - daysInMs(30));
    await issued();
    await run("log");
    const rows = await db.selectFrom("log_entries").orderBy("number").select("entered_at").execute();
    expect(new Set(rows.map(({ entered_at }) => entered_at))).toEqual(new Set(["2026-11-21T10:00:00.000Z"]));
    expect((await logReport(provider)).faults).toEqual([]);
  });

  test("takes documents and keys from before it, as existing ones as of now", async () => {
    const provider = await withLog();
    const { issued, run, clock, db, kinds, services, signal } = provider;
    const { id } = await issued(placed);
    await run("seals");
    // As if they had been there when the log began.
    await db.deleteFrom("log_entries").where("number", "is", null).execute();
    expect((await logReport(provider)).notes).toContainEqual(expect.stringMatching(/^1 documents are not in the log/));
    clock.now = new Date(clock.now.getTime() + daysInMs(100));
    await enterExisting(services, signal);
    await enterExisting(services, signal);
    await run("log");
    expect(await kinds()).toEqual(["existing", "existing", "existing entered"]);
    const entry = await firstEntry(services, id);
    expect(JSON.parse(entry!.record)).toMatchObject({
      issued: "2026-11-21T10:00:00.000Z",
      at: "2027-03-01T10:00:00.000Z",
    });
    expect((await logReport(provider)).faults).toEqual([]);
  });

  test("keeps its leaves and proofs when a person is erased, of whom nothing can be computed again", async () => {
    const provider = await withLog();
    const { call, user, companyId, token, issue, run, db, services } = provider;
    const clerk = await user(companyId, { group: "Administrator", name: "Cora Clerk" });
    const { json: document } = await issue(clerk.token);
    await run("log");
    const before = await checkpointNote(provider);
    await call("removeUser", { token, params: { id: clerk.id } });
    expect((await call("eraseUser", { token, params: { id: clerk.id }, body: {} })).status).toBeLessThan(300);
    await run("log");
    const { faults, notes } = await logReport(provider, before);
    expect([faults, notes]).toEqual([
      [],
      notes.map(() => expect.stringMatching(/^no\. \d+: a person was erased from its entry \d+ of the audit trail$/)),
    ]);
    expect(await firstEntry(services, document.id)).toBeDefined();
    const salts = await db
      .selectFrom("log_entries")
      .where("entity_id", "=", document.id)
      .where("entity", "=", "document");
    expect(await salts.select("audit_salt").execute()).toEqual([{ audit_salt: null }]);
  });
});
