import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand, withSettings } from "../support/command.ts";

test("installations in one place leave each other’s backups, and what can’t be removed is said", async ({
  sampleStores,
  folder,
}) => {
  const [sample, to] = [await sampleStores(), join(folder, "backups")];
  await (await serve(sample)).stop();
  const at = (host: string) => withSettings(sample, { BACKUP_TO: to, BACKUP_KEEP: "1", PUBLIC_URL: `https://${host}` });
  for (const host of ["one.example", "two.example", "one.example", "b-one.example"])
    expect((await runCommand(at(host), "backup")).exitCode).toBe(0);
  const hosts = readdirSync(to).map((name) => /^sealdesk-(.+)-\d{4}-\d\d-\d\dT/.exec(name)![1]);
  expect(hosts).toEqual(["b-one.example", "one.example", "two.example"]);
  expect((await runCommand(at("two.example"), "verify", "newest")).exitCode).toBe(0);
  const [, , other] = readdirSync(to);
  const none = await runCommand(at("three.example"), "verify", "newest");
  expect([none.exitCode, none.stderr]).toEqual([
    1,
    expect.stringMatching(/There is no backup of https:\/\/three\.example in .+ to:sealdesk-two\.example-/),
  ]);
  expect((await runCommand(at("three.example"), "verify", `to:${other}`)).exitCode).toBe(0);
  for (const day of ["01", "02", "03", "04", "05"])
    writeFileSync(join(to, `sealdesk-z.example-2019-01-${day}T000000Z.tar.gz`), "");
  // Of hosts that come earlier in the alphabet, but later in time.
  expect((await runCommand(at("three.example"), "verify", "newest")).stderr).toContain(` to:${other}`);

  // No file, so that it can't be removed.
  mkdirSync(join(to, "sealdesk-one.example-2020-01-01T000000Z.tar.gz"));
  const kept = await runCommand(at("one.example"), "backup");
  expect([kept.exitCode, kept.stderr]).toEqual([
    1,
    expect.stringMatching(
      /The backup is stored, but sealdesk-one\.example-2020-01-01T000000Z\.tar\.gz could not be removed/,
    ),
  ]);
  expect((await runCommand(at("one.example"), "backups")).stdout).toMatch(/Last runs:\n.+backup {2}good: sealdesk-/);
});
