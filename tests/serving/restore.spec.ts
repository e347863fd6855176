import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import {
  entriesOf,
  forgeBackup,
  makeFirstVersion,
  onStores,
  resultOf,
  runCommand,
  startCommand,
} from "../support/command.ts";
import { until } from "../support/server.ts";

test("restore refuses a database or store that is not empty", async ({ emptyOf, sampleStores, freshFile }) => {
  const [stores, half] = [await sampleStores(), await emptyOf("SQLite")];
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const onRows = await runCommand(stores, "restore", file);
  expect([onRows.exitCode, onRows.stderr]).toEqual([1, expect.stringContaining("The database is not empty")]);
  expect((await runCommand(stores, "verify")).exitCode).toBe(0);
  cpSync(join(stores.DATA_DIR, "files"), join(half.DATA_DIR, "files"), { recursive: true });
  const onFiles = await runCommand(half, "restore", file);
  expect([onFiles.exitCode, onFiles.stderr]).toEqual([1, expect.stringContaining("There are files in the store")]);
  rmSync(join(half.DATA_DIR, "files"), { recursive: true });
  expect((await runCommand(half, "restore", file)).exitCode, "emptied, it takes the backup").toBe(0);
  const server = await serve(stores);
  const beside = await runCommand(stores, "restore", file);
  await server.stop();
  expect([beside.exitCode, beside.stderr]).toEqual([1, expect.stringContaining("Another Sealdesk process")]);
});

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, a truncated or altered backup is refused, and leaves nothing behind`, async ({
    emptyOf,
    sampleStores,
    folder,
    freshFile,
  }) => {
    const [stores, target] = [await sampleStores(), await emptyOf(kind)];
    const [file, bad] = [freshFile(), freshFile()];
    expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
    const right = readFileSync(file);
    const pdf = right.indexOf("%PDF-");
    const row = right.indexOf("Hallam");
    const replaced = (at: number, text: string) =>
      Buffer.concat([right.subarray(0, at), Buffer.from(text), right.subarray(at + text.length)]);
    for (const [wrong, reason] of [
      [right.subarray(0, pdf + 1000), "Unexpected end of data"],
      [right.subarray(0, right.lastIndexOf("end.json")), "its end is missing"],
      [replaced(pdf + 20, "?"), "does not match its checksums"],
      [replaced(row, "M"), "does not match its checksums"],
      [Buffer.from("no backup at all"), "can’t be read as a backup"],
    ] as const) {
      writeFileSync(bad, wrong);
      const fromFile = await runCommand(target, "restore", bad);
      expect([fromFile.exitCode, fromFile.stderr]).toEqual([1, expect.stringContaining(reason)]);
      // From a pipe it is found out while it is loaded.
      const piped = startCommand(target, "restore", "-");
      piped.stdin!.on("error", () => {}).end(wrong);
      expect((await resultOf(piped)).exitCode).toBe(1);
      expect(globSync(join(target.DATA_DIR, "files", "*"))).toEqual([]);
    }
    expect((await runCommand(target, "verify", bad)).exitCode).toBe(1);
    for (const command of ["verify", "restore"]) {
      const { exitCode, stderr } = await runCommand(target, command, folder);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/is a folder, not a file\.\n$/)]);
    }
    expect((await runCommand(target, "verify", file)).stdout).toBe("The backup is complete and unchanged.\n");
    const piped = startCommand(target, "restore", "-");
    piped.stdin!.end(right);
    expect((await resultOf(piped)).stdout).toContain("No fault.");
  });

  test(`on ${kind}, an interrupted restore leaves nothing behind`, async ({ emptyOf, sampleStores, freshFile }) => {
    const [stores, target] = [await sampleStores(), await emptyOf(kind)];
    const file = freshFile();
    expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
    const stored = () => globSync(join(target.DATA_DIR, "files/documents/*/*")).length;
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGKILL", null],
    ] as const) {
      const restoring = startCommand(target, "restore", "-");
      // What is left to write when the command is killed fails; one that ends by itself has another exit code.
      restoring.stdin!.on("error", () => {}).write(readFileSync(file).subarray(0, -20_000));
      const end = resultOf(restoring);
      await until(() => stored() > 0, "the first file to be restored");
      restoring.kill(signal);
      expect((await end).exitCode).toBe(exitCode);
      if (signal === "SIGINT") expect(stored()).toBe(0);
    }
    // What was killed can't tidy up: its files are left, its rows are not.
    expect((await runCommand(target, "restore", file)).stderr).toContain("There are files in the store");
    rmSync(join(target.DATA_DIR, "files"), { recursive: true });
    expect((await runCommand(target, "restore", file)).exitCode).toBe(0);
  });
}

test("a backup of an older version is migrated on restore", async ({ emptyOf, freshFile }) => {
  const [stores, target] = [await emptyOf("SQLite"), await emptyOf("PostgreSQL")];
  await makeFirstVersion(stores);
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const restored = await runCommand(target, "restore", file);
  expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
  const server = await serve(target);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.stop();
});

test("a backup of a newer version, or one that writes outside the store, is refused", async ({
  emptyOf,
  freshFile,
}) => {
  const stores = await emptyOf("SQLite");
  const file = freshFile();
  for (const [steps, entries, reason] of [
    [{ provider: ["001_tables", "999_of_tomorrow"] }, {}, "comes from a newer Sealdesk than this one: provider, 999"],
    [{ cellar: ["001_wine"] }, {}, "comes from a newer Sealdesk than this one: cellar"],
    [{ provider: ["001_tables"] }, { "files/../../escaped": "x" }, "an invalid name"],
    [{ provider: ["001_tables"] }, { "files/documents/..": "x" }, "an invalid name"],
    [{ provider: ["001_tables"] }, { "rows/secrets/1.ndjson": "[1]" }, "a table that its manifest does not list"],
  ] as const) {
    await forgeBackup(file, steps as unknown as Record<string, string[]>, entries);
    const { exitCode, stderr } = await runCommand(stores, "restore", file);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(existsSync(join(stores.DATA_DIR, "..", "escaped"))).toBe(false);
});

test("a backup has the pages of what awaits release, and the export of a company leaves them", async ({
  emptyOf,
  sampleStores,
  freshFile,
}) => {
  const [stores, target] = [await sampleStores(), await emptyOf("PostgreSQL")];
  const [file, company] = [freshFile(), freshFile()];
  const page = "files/documents/held/1";
  const content = Buffer.from("a page");
  mkdirSync(join(stores.DATA_DIR, "files/documents/held"), { recursive: true });
  writeFileSync(join(stores.DATA_DIR, page), content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const files = JSON.stringify([{ name: "lease.png", bytes: content.length, sha256, type: "image/png", pages: 1 }]);
  await onStores(
    stores,
    `insert into releases (company_id, act, drafter_id, owner_id, name, number, number_read, document_type, form, page_files,
      folder, bytes, needed, created_at, changed_at)
     select company_id, 'issue', id, id, 'Lease', 'HELD-1', 'HELD1', 'Contract', '{}', '${files}', 'documents/held', 6, 1,
      '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z' from users where id = 1`,
  );
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const restored = await runCommand(target, "restore", file);
  expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
  expect(readFileSync(join(target.DATA_DIR, page))).toEqual(content);
  expect(await onStores(target, "select number, state from releases")).toEqual([
    { number: "HELD-1", state: "waiting" },
  ]);
  rmSync(join(target.DATA_DIR, page));
  const verified = await runCommand(target, "verify");
  expect([verified.exitCode, verified.stdout]).toEqual([1, expect.stringContaining("(HELD-1), page file 1")]);

  expect((await runCommand(stores, "export-company", "1", company)).exitCode).toBe(0);
  expect(JSON.stringify(await entriesOf(company))).not.toMatch(/documents\/held|HELD-1/);
});
