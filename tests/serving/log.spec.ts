import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asFile, pngFile } from "../fixtures/files.ts";
import { draftForm } from "../fixtures/forms.ts";
import { expect, serve, test } from "../support/backups.ts";
import { bulkClient } from "../support/bulk-issues.ts";
import { onStores, runCommand, type Stores } from "../support/command.ts";
import { signIn } from "../support/sample.ts";
import { until } from "../support/server.ts";

/** The public log as visitors read it, and what the operator's commands say of it. */

type Served = { url: string };
type Log = {
  origin: string;
  address: string;
  key: string;
  reason: string;
  began_size: number;
  ended_at: string | null;
};

const logsOf = async ({ url }: Served) => (await (await fetch(`${url}/log`)).json()) as Log[];
const pathOf = ({ address }: Log) => new URL(address).pathname;

/** The newest checkpoint once it has at least so many entries. */
async function checkpointOf(server: Served, entries = 1): Promise<string> {
  let note = "";
  await until(async () => {
    const [log] = await logsOf(server);
    // A log that ended still has its last checkpoint.
    if (log?.ended_at === null) note = await (await fetch(server.url + pathOf(log) + "/checkpoint")).text();
    return Number(note.split("\n")[1] ?? 0) >= entries;
  }, "a checkpoint");
  return note;
}

async function issue(server: Served, count: number) {
  const client = await bulkClient(server.url);
  const page = asFile(await pngFile(), "page.png");
  for (let n = 0; n < count; n++) {
    await client.post("/documents/storeDocument", draftForm({ email: signIn.email }, [page]));
  }
}

const entriesIn = async (stores: Stores) =>
  Number((await onStores(stores, "select count(*) as entries from log_entries"))[0]!.entries);

/** Serves until the log has all entries; returns its checkpoint. */
async function published(stores: Stores, documents = 0) {
  let server = await serve(stores);
  await issue(server, documents);
  await server.stop();
  const entries = await entriesIn(stores);
  server = await serve(stores);
  const checkpoint = await checkpointOf(server, entries);
  const logs = await logsOf(server);
  await server.stop();
  return { checkpoint, logs };
}

test("other sites read the log, its checkpoint for seconds and its tiles for ever", async ({ sampleStores }) => {
  const server = await serve(await sampleStores());
  const size = Number((await checkpointOf(server)).split("\n")[1]);
  const [log] = await logsOf(server);
  const read = (path: string) => fetch(server.url + pathOf(log!) + path);
  for (const [path, type, cacheControl] of [
    ["/checkpoint", "text/plain; charset=utf-8", "public, max-age=10"],
    [
      "/tile/0/000" + (size >= 256 ? "" : `.p/${size}`),
      "application/octet-stream",
      /^public, max-age=31536000, immutable$/,
    ],
    ["/tile/entries/000" + (size >= 256 ? "" : `.p/${size}`), "application/octet-stream", /immutable$/],
  ] as const) {
    const { status, headers } = await read(path);
    expect([path, status, headers.get("content-type")]).toEqual([path, 200, type]);
    expect(headers.get("cache-control")).toMatch(cacheControl);
    expect(headers.get("access-control-allow-origin")).toBe("*");
  }
  const { headers: ofLogs } = await fetch(`${server.url}/log`);
  expect(ofLogs.get("cache-control")).toBe("public, max-age=10");
  for (const path of [
    "/tile/0/999",
    "/tile/0/000%0a",
    "/tile/0/000%00",
    "/tile/0/000%ff",
    "/tile/0/..%2f..%2fsealdesk.db",
    "/tile/entries/000.p/0",
    "/nothing",
  ]) {
    expect([path, (await read(path)).status]).toEqual([path, 404]);
  }
  await server.stop();
});

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, verify-log names what was changed in the database`, async ({ sampleOn, freshFile }) => {
    const stores = await sampleOn(kind);
    const { checkpoint } = await published(stores, 3);
    const kept = freshFile(".checkpoint");
    writeFileSync(kept, checkpoint);
    const right = await runCommand(stores, "verify-log", "--checkpoint", kept);
    expect([right.exitCode, right.stdout]).toEqual([0, expect.stringMatching(/\d entries, root \S+\nNo fault\.\n$/)]);
    await onStores(stores, "update documents set number = 'NM-FORGED' where id = (select max(id) from documents)");
    const document = await runCommand(stores, "verify-log");
    expect([document.exitCode, document.stdout]).toEqual([1, expect.stringContaining('and is "NM-FORGED"')]);
    await onStores(stores, "delete from log_entries where number = 5");
    const entry = await runCommand(stores, "verify-log");
    expect([entry.exitCode, entry.stdout]).toEqual([1, expect.stringContaining("fault: no. 5 is missing")]);
    for (const [file, reason] of [
      ["no checkpoint", "which is no log of this database"],
      [checkpoint.replace(/\n\d+\n/, "\n1\n"), "is not signed by the key of"],
    ] as const) {
      writeFileSync(kept, file);
      const { exitCode, stdout } = await runCommand(stores, "verify-log", "--checkpoint", kept);
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining(reason)]);
    }
  });

  test(`on ${kind}, a restored backup goes on under a new name, with the entries that it has`, async ({
    sampleOn,
    emptyOf,
    freshFile,
  }) => {
    const [stores, target, file] = [await sampleOn(kind), await emptyOf(kind), freshFile()];
    const { checkpoint, logs: before } = await published(stores, 2);
    // Jobs may have entered more since the checkpoint.
    const [numbered] = await onStores(stores, "select count(number) as entries from log_entries");
    expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
    const restored = await runCommand(target, "restore", file);
    expect([restored.exitCode, restored.stderr]).toEqual([
      0,
      expect.stringContaining(`The log ${before[0]!.origin} has ended`),
    ]);
    const { logs } = await published(target);
    expect(logs.slice(0, 2)).toMatchObject([
      { reason: "restored", began_size: Number(numbered!.entries) },
      { origin: before[0]!.origin, key: before[0]!.key },
    ]);
    const kept = freshFile(".checkpoint");
    writeFileSync(kept, checkpoint);
    expect((await runCommand(target, "verify-log", "--checkpoint", kept)).stdout).toContain("No fault.");
  });
}

test("an older database that was put back beside newer files is noticed at the start", async ({
  sampleStores,
  freshFile,
}) => {
  const stores = await sampleStores();
  const { logs: before } = await published(stores, 1);
  const old = mkdtempSync(join(tmpdir(), "sealdesk-old-"));
  cpSync(stores.DATA_DIR, old, { recursive: true });
  const { checkpoint } = await published(stores, 2);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(stores.DATA_DIR, `sealdesk.db${suffix}`), { force: true });
  cpSync(join(old, "sealdesk.db"), join(stores.DATA_DIR, "sealdesk.db"));
  const server = await serve(stores);
  await until(async () => (await logsOf(server))[0]?.origin !== before[0]!.origin, "a new log");
  const [now] = await logsOf(server);
  await checkpointOf(server, now!.began_size + 1);
  await server.stop();
  expect(now!.reason).toBe("restored");
  const kept = freshFile(".checkpoint");
  writeFileSync(kept, checkpoint);
  const { exitCode, stdout } = await runCommand(stores, "verify-log", "--checkpoint", kept);
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(/had \d+ entries, of which the database has the first \d+/),
  ]);
  rmSync(old, { recursive: true });
});
