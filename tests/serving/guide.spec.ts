import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { environment } from "#lib/config.ts";
import { resultOf, runCommand, type Stores } from "../support/command.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";

/** Every command of the operator's guide, as it is written there. */

const root = join(import.meta.dirname, "..", "..");
const pages = ["docs/running.md", ...globSync("docs/running/*.md", { cwd: root })].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));
const commandsIn = (text: string) =>
  [...text.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, block]) => block!.replace("name@company.example", signIn.email))
    .join("\n");

test("each block of commands runs, in the order of its page", async () => {
  const [folder, identity] = [mkdtempSync(join(tmpdir(), "sealdesk-guide-")), "a-secret-that-is-long-enough-for-it"];
  const server = await startServer({ from: sampleData, env: { SESSION_SECRET: identity, DISK_RESERVE_MB: "0" } });
  try {
    await until(
      () => inDatabase(server, (db) => db.prepare("select 1 from jobs where outcome = 'done'").get()) !== undefined,
    );
    const settings = {
      ...environment,
      PUBLIC_URL: server.url,
      SESSION_SECRET: identity,
      DISK_RESERVE_MB: "0",
      BACKUP_TO: join(folder, "backups"),
      DATA_DIR: server.data,
      ROOT: root,
      NODE: process.execPath,
    };
    const prelude = readFileSync(join(root, "tests/support/guide-commands.sh"), "utf8");
    const [index, ...others] = pages;
    const define = /^sealdesk\(\) .*$/m.exec(index!.text)![0];
    const backup = await resultOf(shell(`${prelude}\n${define}\nsealdesk backup`, settings, folder));
    expect(backup.exitCode, backup.stderr).toBe(0);
    // Restoring is about files that going live makes.
    const sorted = [index!, ...others.toSorted((a, b) => (a.path < b.path ? -1 : 1))];
    for (const { path, text } of sorted) {
      const { exitCode, stdout, stderr } = await resultOf(
        shell(`${prelude}\n${define}\n${commandsIn(text)}`, settings, folder),
      );
      expect(exitCode, `${path}\n${stdout}\n${stderr}`).toBe(0);
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

const shell = (script: string, env: NodeJS.ProcessEnv, cwd: string) => {
  const child = spawn("bash", ["-c", script], { env, cwd, stdio: "pipe" });
  child.stdin.end();
  return child;
};

test("each command that the guide names in a sentence exists, with its options", async () => {
  const stores: Stores = { DATA_DIR: join(tmpdir(), "sealdesk-never-made") };
  const list = (await runCommand(stores)).stdout;
  const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name!);
  const written = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`([a-z]+(?:-[a-z]+)*)((?: [^`\n]+)?)`/g)]
      .filter(([, name]) => names.includes(name!))
      .map(([, name, rest]) => ({ path, name: name!, options: rest!.match(/--[a-z-]+/g) ?? [] })),
  );
  expect(written.map(({ name }) => name)).toEqual(expect.arrayContaining(["doctor", "verify", "fill"].slice(1)));
  for (const name of new Set(written.map((one) => one.name))) {
    const { stdout } = await runCommand(stores, name, "--help");
    for (const { path, options } of written.filter((one) => one.name === name)) {
      for (const option of options) expect(stdout, `${path}: ${name} ${option}`).toContain(option);
    }
  }
});
