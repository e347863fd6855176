import { hash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { witnessServer } from "#commands/witness/serve.ts";
import { openState } from "#commands/witness/state.ts";
import { addCheckpoint } from "#lib/log/add-checkpoint.ts";
import { openCheckpoint } from "#lib/log/checkpoints.ts";
import { type NoteKey, readNoteKey } from "#lib/log/notes.ts";
import { preimageParts, readProof } from "#lib/log/proofs.ts";
import { hashOfLeaf, verifyInclusion } from "#lib/log/tree.ts";
import { checkpointNote, logReport } from "#tests/fixtures/log.ts";
import { hoursInMs, minutesInMs } from "#lib/units.ts";
import { afterTests, hasDatabase } from "#tests/fixtures/provider.ts";
import { noteSigner } from "#tests/fixtures/logs.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { witnessStates } from "./cosign.ts";
import { checkpointFile } from "./begin.ts";
import { readSmall } from "./tree.ts";
import { newCode } from "../documents/codes.ts";
import { witnessesOf } from "../open-services.ts";

const suite = describe.runIf(hasDatabase());

/** A witness of all logs in `logs`, with the statuses of its replies. */
async function startWitness(name: string) {
  const [logs, statuses] = [[] as NoteKey[], [] as number[]];
  const signer = noteSigner(name, "witness");
  const state = openState(":memory:");
  const server = witnessServer((body) => {
    const reply = addCheckpoint(body, { logs, signer, state, now: () => new Date(), onSplit: () => {} });
    statuses.push(reply.status);
    return reply;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => void server.close().closeAllConnections();
  afterTests(stop);
  const { port } = server.address() as AddressInfo;
  return { key: signer.key, url: `http://127.0.0.1:${port}`, logs, statuses, stop };
}

/** A document in a log that these witnesses know, and the events that were logged. */
async function withLog(...witnesses: Awaited<ReturnType<typeof startWitness>>[]) {
  const events: string[] = [];
  const note = (_: object, message: string) => void events.push(message);
  const scans = await withScans({}, { witnesses, log: { info: () => {}, warn: note, error: note } });
  const { db, run, call, params, admin, document, services } = scans;
  await run("log");
  const origin = async () =>
    db.selectFrom("log_origins").where("ended_at", "is", null).selectAll().executeTakeFirstOrThrow();
  const key = readNoteKey((await origin()).public_key)!;
  for (const { logs } of witnesses) logs.push(key);
  /** Asks witnesses again that had refused. */
  const publish = async () => {
    await scans.advanceMinutes(6);
    await run("log");
  };
  const entry = async () => (await call("verify", { params })).json.log_entry;
  const issue = async () => (await scans.issue(admin.token)).json as { id: number; code: string };
  const proof = async (code: string = document.code, entry: "first" | "newest" = "first") => {
    const { status, bytes } = await call("getLogProof", { params: { code }, query: { entry } });
    return { status, text: Buffer.from(bytes).toString() };
  };
  return { ...scans, events, origin, key, publish, entry, issue, proof, files: services.files };
}

suite("A document’s entry in the log", () => {
  test("is shown to strangers and to staff once a checkpoint has it, with the day where the issuer is", async () => {
    const scans = await withScans();
    const { call, params, document, admin, clock, run, db } = scans;
    await db.updateTable("companies").set({ timezone: "Pacific/Auckland" }).execute();
    clock.now = new Date("2026-11-21T11:30:00Z");
    const staffs = async () => (await call("getDocument", { token: admin.token, params: { id: document.id } })).json;
    for (const pending of [(await call("verify", { params })).json, await staffs()]) {
      expect([pending.log_pending, pending.log_entry]).toEqual([true, undefined]);
    }
    await run("log");
    const expected = {
      number: expect.any(Number) as number,
      date: "2026-11-22",
      kind: "issued",
      seen_by: 0,
      log_began: "",
      problem: "",
      newest: expect.any(Number) as number,
    };
    for (const shown of [(await call("verify", { params })).json, await staffs()]) {
      expect([shown.log_pending, shown.log_entry]).toEqual([undefined, expected]);
    }
  });

  test("says of a document from before the log that it was entered with all others", async () => {
    const { db, run, call, params } = await withScans();
    await db.deleteFrom("log_entries").execute();
    await run("log of existing");
    await run("log");
    expect((await call("verify", { params })).json.log_entry).toMatchObject({ kind: "existing" });
  });

  test("stays the same when the document is withdrawn", async () => {
    const { entry, publish, call, admin, document } = await withLog();
    const first = await entry();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    await publish();
    expect(await entry()).toEqual({ ...first, newest: expect.any(Number) });
  });

  test("says how many witnesses have seen it, also while one of them fails later", async () => {
    const [one, other] = [await startWitness("one.example"), await startWitness("other.example")];
    const { entry, publish, issue, call, events } = await withLog(one, other);
    expect((await entry()).seen_by).toBe(0);
    await publish();
    expect((await entry()).seen_by).toBe(2);
    await other.stop();
    const { code } = await issue();
    await publish();
    expect((await call("verify", { params: { code } })).json.log_entry.seen_by).toBe(1);
    expect((await entry()).seen_by).toBe(2);
    expect(events).toContain("a witness did not cosign the log");
  });
});

suite("GET /verify/{code}/log-proof", () => {
  test("proves by keys alone that the log has the document as it was issued, and who has seen that", async () => {
    const witness = await startWitness("witness.example/w1");
    const { proof, publish, issue, key, document, entry } = await withLog(witness);
    for (let n = 0; n < 3; n++) await issue();
    await publish();
    const read = readProof((await proof()).text)!;
    const { size, root, origin, signatures } = openCheckpoint(read.checkpoint, [key, witness.key])!;
    expect([origin, read.index]).toEqual([key.name, (await entry()).number]);
    expect(signatures.map(({ key: by }) => by.name)).toEqual([key.name, "witness.example/w1"]);
    const leaf = hashOfLeaf(hash("sha256", read.extra!, "buffer"));
    expect(verifyInclusion({ index: read.index, size, root, leaf, proof: read.hashes })).toBe(true);
    const [, at, record] = /^[^]{16}(.+)\n(.+)$/.exec(read.extra!.toString("latin1"))!;
    expect(at).toMatch(/^2026-11-21T/);
    const { document: coded, number, kind } = JSON.parse(record!) as Record<string, string>;
    expect([coded, number, kind]).toEqual([hash("sha256", document.code, "base64url"), document.number, "issued"]);
  });

  test("proves the newest entry too, of what the document is now, once a checkpoint has it", async () => {
    const { proof, publish, key, document, entry, call, admin } = await withLog();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect([(await entry()).newest, (await proof(document.code, "newest")).status]).toEqual([undefined, 404]);
    await publish();
    const read = readProof((await proof(document.code, "newest")).text)!;
    const { size, root } = openCheckpoint(read.checkpoint, [key])!;
    const leaf = hashOfLeaf(hash("sha256", read.extra!, "buffer"));
    expect(verifyInclusion({ index: read.index, size, root, leaf, proof: read.hashes })).toBe(true);
    const { newest, number } = await entry();
    expect([read.index, newest > number]).toEqual([newest, true]);
    expect(JSON.parse(preimageParts(read.extra!).record)).toMatchObject({ kind: "exited", status: "exited" });
    expect((await proof()).text).toContain(`\nindex ${number}\n`);
  });

  test("is 404 for what is in no log and in none yet, and 422 for a mistyped code", async () => {
    const { proof, issue, document } = await withLog();
    const { code } = await issue();
    expect((await proof(code)).status).toBe(404);
    expect((await proof(newCode())).status).toBe(404);
    expect((await proof(document.code.slice(1))).status).toBe(422);
  });
});

suite("A witness", () => {
  test("refuses a log in which one row was edited, whatever else its owner writes again", async () => {
    const witness = await startWitness("witness.example");
    const { db, document, publish, issue, events, files, origin, entry, statuses } = {
      ...(await withLog(witness)),
      statuses: witness.statuses,
    };
    await publish();
    expect((await entry()).seen_by).toBe(1);
    const row = await db
      .selectFrom("log_entries")
      .where("entity_id", "=", document.id)
      .where("entity", "=", "document")
      .selectAll()
      .executeTakeFirstOrThrow();
    await db
      .updateTable("log_entries")
      .set({ record: row.record.replace("2026", "2025"), entry: hash("sha256", "edited", "base64") })
      .where("id", "=", row.id)
      .execute();
    // The owner has the log's key, and removes what does not fit: the log publishes all again, under its name.
    const { id, name } = await origin();
    await db.deleteFrom("log_checkpoints").execute();
    await files.removeAll("log");
    await issue();
    await publish();
    expect((await origin()).id).toBe(id);
    expect(statuses.slice(-2)).toEqual([409, 422]);
    expect(events).toContain("a witness refused the log: entries were lost or changed");
    const newest = await db.selectFrom("log_checkpoints").orderBy("size", "desc").selectAll().executeTakeFirstOrThrow();
    expect(newest.note.split("\n").filter((line) => line.startsWith("— "))).toEqual([expect.stringContaining(name)]);
    expect((await entry()).seen_by).toBe(0);
  });

  test("costs no more than one stored checkpoint, however often it cosigns", async () => {
    const witness = await startWitness("witness.example");
    const { db, publish, issue, entry } = await withLog(witness);
    for (let n = 0; n < 3; n++) {
      await issue();
      await publish();
    }
    expect(witness.statuses.filter((status) => status === 200)).toHaveLength(3);
    const cosigned = await db.selectFrom("log_checkpoints").where("witnesses", ">", 0).selectAll().execute();
    expect(cosigned).toHaveLength(1);
    expect((await entry()).seen_by).toBe(1);
  });

  test("that is gone or refuses is left alone for some minutes, and never stops the log", async () => {
    const witness = await startWitness("witness.example");
    const { run, issue, advanceMinutes, entry } = await withLog(witness);
    witness.logs.length = 0;
    const asked = () => witness.statuses.length;
    const before = asked();
    await run("log");
    await issue();
    await advanceMinutes(1);
    await run("log");
    expect(asked()).toBe(before);
    await advanceMinutes(5);
    await run("log");
    expect(asked()).toBe(before + 1);
    expect(await entry()).toMatchObject({ seen_by: 0 });
  });
});

suite("A cosignature", () => {
  test("stays in the published checkpoint that is written again, as the store lost it", async () => {
    const witness = await startWitness("witness.example");
    const { publish, run, files, origin } = await withLog(witness);
    await publish();
    const key = checkpointFile(await origin());
    const before = await readSmall(files, key);
    expect(openCheckpoint(before!.toString(), [witness.key])).toBeUndefined();
    await files.remove(key);
    await run("log");
    expect((await readSmall(files, key))!.toString()).toBe(before!.toString());
    expect(before!.toString()).toContain("— witness.example ");
  });

  test("is asked for by each database that a process has, whatever another one’s log was told", async () => {
    const witness = await startWitness("witness.example");
    await withLog(witness);
    expect(witness.statuses).toEqual([404]);
    await withLog(witness);
    expect(witness.statuses).toEqual([404, 404]);
  });

  test("of each witness is known as long as it is its latest one, with the age of what it lacks", async () => {
    const [one, other, third] = [
      await startWitness("one.example"),
      await startWitness("2.example"),
      await startWitness("3.example"),
    ];
    const { publish, services, issue, advanceMinutes, run } = await withLog(one, other, third);
    const states = async () =>
      (await witnessStates(services)).map(({ name, at, lagMs }) => [name, at !== undefined, lagMs]);
    expect((await states())[0]).toEqual(["one.example", false, 0]);
    await publish();
    expect(await states()).toEqual(["one.example", "2.example", "3.example"].map((name) => [name, true, 0]));
    await one.stop();
    for (const stopped of [undefined, other]) {
      await stopped?.stop();
      await issue();
      await publish();
    }
    await issue();
    await run("log");
    await advanceMinutes(90);
    const late = await states();
    expect(late).toEqual([
      ["one.example", true, minutesInMs(96)],
      ["2.example", true, minutesInMs(90)],
      ["3.example", true, 0],
    ]);
  });
});

suite("verify-log", () => {
  test("compares an entry’s time with when a witness saw it, and when it saw the log without it", async () => {
    const witness = await startWitness("witness.example");
    const log = await withLog(witness);
    const { clock, run, issue } = log;
    const faults = async (kept?: string) => (await logReport(log, kept)).faults;
    const setClock = async (hours: number) => {
      clock.now = new Date(Date.now() + hoursInMs(hours));
      await log.advanceMinutes(0);
    };
    await setClock(0);
    await run("log");
    const kept = await checkpointNote(log);
    expect([witness.statuses.at(-1), await faults(kept)]).toEqual([200, []]);
    await setClock(-1);
    await issue();
    await run("log");
    expect([witness.statuses.at(-1), await faults()]).toEqual([200, []]);
    expect(await faults(kept)).toEqual([
      expect.stringMatching(
        /^no\. \d+ says that it was entered on \S+, and witness.example saw the log without it on \S+$/,
      ),
    ]);
    await setClock(1);
    await issue();
    await run("log");
    expect(await faults()).toEqual([
      expect.stringMatching(/^no\. \d+ says that it was entered on \S+, and witness.example saw it on \S+$/),
    ]);
  });
});

test("WITNESSES has keys of witnesses alone, or the server does not start", () => {
  const [witness, log] = (["witness", "log"] as const).map((kind) => noteSigner("witness.example/w1", kind).key.text);
  const open = (key: string) => witnessesOf({ WITNESSES: [{ key, url: "https://witness.example" }] });
  expect(open(witness!)).toMatchObject([{ key: { text: witness } }]);
  for (const wrong of [log!, witness!.replace("+", "+0"), "key"])
    expect(() => open(wrong)).toThrow("WITNESSES: number 1 of the list has no key of a witness");
});
