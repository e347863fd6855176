import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import Sqlite from "better-sqlite3";
import { invoice, pdfOf } from "../fixtures/altered-pdfs.ts";
import { asFile } from "../fixtures/files.ts";
import { expect, serve, test } from "../support/backups.ts";
import { makeFirstVersion, resultOf, runCommand, startCommand } from "../support/command.ts";
import { addPages, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { until } from "../support/server.ts";

test("an operator checks a file against a backup, without the database", async ({ sampleStores, folder }) => {
  const stores = await sampleStores();
  const stored = (name: string, content: Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const pages = invoice(5);
  const source = await pdfOf(pages);
  const [backups, temporary] = [join(folder, "backups"), join(folder, "temporary")];
  for (const one of [backups, temporary]) mkdirSync(one);
  const [earlier, later] = [join(backups, "b-earlier.tar"), join(backups, "a-later.tar.gz")];

  expect((await runCommand(stores, "backup", earlier)).exitCode).toBe(0);
  utimesSync(earlier, new Date("2026-01-01"), new Date("2026-01-01"));
  const server = await serve(stores);
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "Invoice in a backup");
  await addPages(client, draft, [asFile(source, "invoice.pdf")]);
  const path = await create(client, draft);
  const code = await codeOf(client, path);
  const sealed = new Uint8Array(await (await client.get(`/files${path}/sealed.pdf`)).arrayBuffer());
  await server.stop();
  expect((await runCommand(stores, "backup", later)).exitCode).toBe(0);
  const sqlite = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
  sqlite.exec("delete from sealed_files");
  sqlite.close();
  const unsealed = join(folder, "unsealed.tar");
  expect((await runCommand(stores, "backup", unsealed)).exitCode).toBe(0);
  rmSync(stores.DATA_DIR, { recursive: true });
  mkdirSync(stores.DATA_DIR);

  const withoutDatabase = { ...stores, DATABASE_URL: "postgres://nobody@127.0.0.1:1/gone", TMPDIR: temporary };
  const check = async (...args: string[]) => {
    const result = await runCommand(withoutDatabase, "check", ...args);
    expect(readdirSync(temporary), "temporary files are removed").toEqual([]);
    return [result.exitCode, result.exitCode === 0 ? result.stdout : result.stdout + result.stderr];
  };
  const containing = (text: string) => expect.stringContaining(text);
  const sealedFile = stored("sealed.pdf", sealed);
  expect(await check(sealedFile, "--backup", later)).toEqual([0, containing("of Hallam & Reid Ltd: same file\n")]);
  expect(await check(stored("page.pdf", source), "--backup", later)).toEqual([0, containing("page file 1")]);
  expect(await check(sealedFile, "--backup", earlier)).toEqual([1, containing("No document has this file")]);
  expect(await check(sealedFile, "--backup", backups), "the newest in a folder").toEqual([0, containing("same file")]);

  const saved = stored("saved.pdf", await (await PDFDocument.load(sealed)).save());
  expect(await check(saved, "--backup", later)).toEqual([1, containing("No document has this file")]);
  expect(await check(saved, "--backup", later, "--code", code)).toEqual([0, containing("looks the same")]);
  const altered = pages.map((lines, n) => lines.map((line) => (n === 2 ? line.replace("2026", "2027") : line)));
  const other = stored("altered.pdf", await pdfOf(altered));
  expect(await check(other, "--backup", later, "--code", code)).toEqual([1, containing("page 3 changed")]);
  const letter = stored("letter.pdf", await pdfOf([["Dear Sir or Madam"]]));
  expect(await check(letter, "--backup", later, "--code", code)).toEqual([1, containing("another document")]);
  expect(await check(other, "--backup", earlier, "--code", code)).toEqual([
    1,
    containing("No document has this code."),
  ]);
  expect(await check(stored("page.pdf", source), "--backup", unsealed)).toEqual([0, containing("page file 1")]);
  const tooEarly = [1, containing("was not sealed yet when the backup was made")];
  expect(await check(other, "--backup", unsealed, "--code", code)).toEqual(tooEarly);
  expect(readdirSync(stores.DATA_DIR), "neither database nor secrets were made").toEqual([]);

  const damaged = readFileSync(earlier);
  damaged[damaged.indexOf("%PDF-") + 20]! ^= 1;
  for (const [backup, reason] of [
    [stored("damaged.tar", damaged), "does not match its checksums"],
    [stored("cut.tar.gz", readFileSync(later).subarray(0, 40_000)), "can’t be read as a backup"],
    [sealedFile, "can’t be read as a backup"],
    [join(folder, "nowhere.tar"), "There is no backup at "],
    [temporary, "There is no backup in "],
  ] as const) {
    expect(await check(sealedFile, "--backup", backup), backup).toEqual([1, containing(reason)]);
  }
});

test("an interrupted check against a backup leaves nothing behind", async ({ sampleStores, folder, freshFile }) => {
  const stores = await sampleStores();
  const [file, pipe, temporary] = [freshFile(), join(folder, "pipe"), join(folder, "temporary")];
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const content = readFileSync(file);
  execFileSync("mkfifo", [pipe]);
  mkdirSync(temporary);
  const elsewhere = { ...stores, TMPDIR: temporary };
  const checking = startCommand(elsewhere, "check", file, "--backup", pipe);
  const end = resultOf(checking);
  await writeFile(pipe, content);
  await until(() => readdirSync(temporary).length > 0, "the second reading of the backup");
  const half = await open(pipe, "w");
  await half.write(content.subarray(0, content.indexOf("rows/documents/")));
  checking.kill("SIGINT");
  await until(() => readdirSync(temporary).length === 0, "temporary files to be removed");
  await half.close();
  expect(await end).toMatchObject({ exitCode: 130, stderr: "Stopped.\n" });
});

test("a backup of an older version is migrated for a check", async ({ emptyOf, freshFile }) => {
  const stores = await emptyOf("SQLite");
  await makeFirstVersion(stores);
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  expect(await runCommand(stores, "check", file, "--backup", file)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("No document has this file"),
    stderr: "",
  });
});
