import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, suite, test, vi } from "vitest";
import { addCheckpoint, type Split, writeAddCheckpoint } from "#lib/log/add-checkpoint.ts";
import { openNote } from "#lib/log/notes.ts";
import { requestCosignature, WitnessRefused } from "#lib/log/request-cosignature.ts";
import { entriesOf, logOf, noteSigner } from "../../tests/fixtures/logs.ts";
import { witnessServer } from "./serve.ts";
import { openState } from "./state.ts";
import { reportSplit, witness } from "./witness.ts";

const logKey = noteSigner("log.example/1", "log");
const signer = noteSigner("witness.example/w1", "witness");
const log = logOf(entriesOf(300), logKey);
const edited = logOf(entriesOf(300, 7), logKey);

let state = openState(":memory:");
beforeEach(() => {
  state.close();
  state = openState(join(mkdtempSync(join(tmpdir(), "witness-")), "witness.db"));
});

const folder = mkdtempSync(join(tmpdir(), "witness-"));
const onSplit = (split: Split) => reportSplit(split, folder);
const server = witnessServer((body) =>
  addCheckpoint(body, { logs: [logKey.key], signer, state, now: () => new Date(), onSplit }),
);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/second-site`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
  state.close();
});

async function post(body: string | Uint8Array<ArrayBuffer>) {
  const reply = await fetch(`${url}/add-checkpoint`, { method: "POST", body });
  return { status: reply.status, type: reply.headers.get("content-type"), body: await reply.text() };
}

const add = async (from: number, to: number, { of = log, note = "", proof = [] as Buffer[] } = {}) =>
  post(
    writeAddCheckpoint({
      oldSize: from,
      proof: proof.length > 0 ? proof : await of.consistency(from, to),
      note: note || (await of.checkpoint(to)),
    }),
  );

suite("a witness", () => {
  test("cosigns each checkpoint that continues the one before", async () => {
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [1, 64],
      [64, 64],
      [64, 300],
    ] as const) {
      const { status, body } = await add(from, to);
      expect([from, to, status]).toEqual([from, to, 200]);
      const note = (await log.checkpoint(to)) + body;
      expect(openNote(note, [signer.key])!.signatures[0]!.at!.getTime()).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  test("says how much it has seen to whoever asks with another size", async () => {
    await add(0, 64);
    for (const from of [0, 63, 65]) {
      expect(await add(from, 300)).toEqual({ status: 409, type: "text/x.tlog.size", body: "64\n" });
    }
  });

  test("refuses a log with one changed entry, a shorter one, and a second one of the same size", async () => {
    await add(0, 64);
    expect((await add(64, 300, { of: edited })).status).toBe(422);
    expect((await add(64, 300, { of: edited, proof: await log.consistency(64) })).status).toBe(422);
    expect((await add(64, 64, { of: edited })).status).toBe(409);
    expect(await add(63, 63)).toMatchObject({ status: 409, body: "64\n" });
    expect((await add(64, 300)).status).toBe(200);
  });

  test("refuses checkpoints of unknown logs, with other signatures, and beyond their own size", async () => {
    const stranger = noteSigner("other.example", "log");
    const impostor = noteSigner("log.example/1", "log");
    expect((await add(0, 5, { note: await logOf(entriesOf(5), stranger).checkpoint() })).status).toBe(404);
    expect((await add(0, 5, { note: await logOf(entriesOf(5), impostor).checkpoint() })).status).toBe(403);
    const note = await log.checkpoint(5);
    expect((await add(0, 5, { note: note.replace("\n5\n", "\n6\n") })).status).toBe(403);
    expect((await add(6, 6, { note })).status).toBe(400);
  });

  test.each([
    ["without an old size", "\n\nlog.example/1\n"],
    ["with a size in another form", "old 00\n\nlog.example/1\n"],
    ["with a hash that is none", "old 1\nAAAA\n\nlog.example/1\n"],
    ["with more hashes than a proof has", `old 1\n${`${"A".repeat(43)}=\n`.repeat(64)}\nlog.example/1\n`],
    ["without a checkpoint", "old 0\n"],
    ["that is empty", ""],
    ["that is no text", Uint8Array.of(0xff, 0xfe, 0)],
  ])("calls a request %s a bad one", async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test("reads no more of a request than the longest one has", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST /add-checkpoint HTTP/1.1\r\nhost: w\r\ncontent-length: 99999999\r\n\r\n");
    let written = 0;
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()).once("error", () => {}));
    const write = () => {
      while (!socket.destroyed && written < 99_999_999 && socket.write(Buffer.alloc(65_536))) written += 65_536;
    };
    socket.on("drain", write);
    write();
    await closed;
    expect(written).toBeLessThan(20_000_000);
  });

  test("knows after a restart what it has seen", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "witness-")), "witness.db");
    state = openState(file);
    await add(0, 64);
    state.close();
    state = openState(file);
    expect((await add(64, 300, { of: edited })).status).toBe(422);
    expect((await add(64, 300)).status).toBe(200);
  });

  test("never takes a step back while two processes have its file", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "witness-")), "witness.db");
    state = openState(file);
    const other = openState(file);
    await add(0, 64);
    other.change("log.example/1", (latest) => {
      expect(latest).toMatchObject({ size: 64 });
      return { ...latest!, size: 100 };
    });
    other.close();
    expect(await add(64, 300)).toMatchObject({ status: 409, body: "100\n" });
  });

  test("makes its key once, and says so if the file with it is empty or damaged", async () => {
    const folder = mkdtempSync(join(tmpdir(), "witness-"));
    const printed: string[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
    const start = () => witness.run({ values: {}, positionals: ["witness.example/w1", folder] });
    await start();
    await start();
    log.mockRestore();
    expect([printed.length, new Set(printed).size, readdirSync(folder)]).toEqual([2, 1, ["witness.pem"]]);
    for (const content of ["", "-----BEGIN PRIVATE KEY-----\nMC4"]) {
      writeFileSync(join(folder, "witness.pem"), content);
      await expect(start()).rejects.toThrow(/witness\.pem is damaged or no key of Ed25519.*Take the file from a copy/);
    }
  });

  test("says that a log was split, and stores both signed checkpoints", async () => {
    const lines: string[] = [];
    const error = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    await add(0, 64);
    for (let n = 0; n < 2; n++) expect((await add(64, 64, { of: edited })).status).toBe(409);
    expect((await add(64, 300, { of: edited })).status).toBe(422);
    error.mockRestore();
    const events = lines.map((line) => JSON.parse(line) as { level: number; evidence: string });
    expect(events.map(({ level }) => level)).toEqual([50, 50, 50]);
    const files = [...new Set(events.map(({ evidence }) => readFileSync(evidence, "utf8")))];
    expect(files).toEqual([
      `${await log.checkpoint(64)}\n${await edited.checkpoint(64)}`,
      `${await log.checkpoint(64)}\n${await edited.checkpoint(300)}`,
    ]);
  });

  test("answers nothing else", async () => {
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
  });
});

suite("a log", () => {
  const signal = new AbortController().signal;
  const ask = async (of: typeof log, size: number, seenSize: number) =>
    requestCosignature(
      { key: signer.key, url },
      {
        note: await of.checkpoint(size),
        size,
        seenSize,
        proofFrom: (from) => of.consistency(Math.min(from, size), size),
        signal,
      },
    );

  test("gets a cosignature, also when it does not know how much the witness has seen", async () => {
    expect((await ask(log, 64, 0)).key).toBe(signer.key);
    expect((await ask(log, 128, 64)).key).toBe(signer.key);
    expect((await ask(log, 300, 0)).key).toBe(signer.key);
  });

  test("learns that it is refused for a changed entry, and for an older copy", async () => {
    await ask(log, 200, 0);
    await expect(ask(edited, 300, 200)).rejects.toThrow(WitnessRefused);
    await expect(ask(edited, 200, 200)).rejects.toThrow("another log of 200 entries");
    await expect(ask(log, 100, 200)).rejects.toThrow(WitnessRefused);
    await expect(ask(log, 100, 100)).rejects.toThrow("it has seen 200 entries, the log has 100");
  });

  test("refuses a cosignature by another key", async () => {
    const other = noteSigner("witness.example/w1", "witness");
    const request = { note: await log.checkpoint(5), size: 5, seenSize: 0, proofFrom: async () => [], signal };
    await expect(requestCosignature({ key: other.key, url }, request)).rejects.toThrow("no cosignature by its key");
  });
});
