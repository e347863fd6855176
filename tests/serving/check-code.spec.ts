import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readByZxing } from "../fixtures/qr-decoders.ts";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand } from "../support/command.ts";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";

test("a stranger checks a code on a terminal, by saved files alone", async ({ sampleStores, folder }) => {
  const stores = await sampleStores();
  const saved = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const issued = await serve(stores);
  const client = await signInClient(issued.url);
  const draft = await startDraft(client, "Bond on a terminal");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const path = await create(client, draft);
  const read = async (file: string) => new Uint8Array(await (await client.get(`/files${path}/${file}`)).arrayBuffer());
  const [pdf, code] = [await read("sealed.pdf"), await read("qrcode.png")];
  const [address] = (await readByZxing(code)) as [string];
  await issued.stop();

  // The list is made at start.
  const server = await serve(stores);
  const text = async (from: string) => (await fetch(from)).text();
  const { keys: published } = JSON.parse(await text(`${server.url}/.well-known/jwks.json`)) as {
    keys: { kid: string; status_list: string }[];
  };
  // Until the worker has made it, a sentence says that there is none.
  const subject = async () => {
    const list = await fetch(published[0]!.status_list);
    return list.ok ? (JSON.parse(atob((await list.text()).split(".")[1]!)) as object) : {};
  };
  await expect.poll(subject).toMatchObject({ sub: published[0]!.status_list });
  const lists = JSON.parse(await text(`${server.url}/.well-known/status-lists`)) as { status_lists: string[] };
  expect(lists.status_lists).toEqual([published[0]!.status_list]);
  const keys = saved("jwks.json", JSON.stringify({ keys: published }));
  const status = saved("list.jwt", await text(published[0]!.status_list));
  await server.stop();

  const check = (...args: string[]) => runCommand({ DATA_DIR: join(folder, "none") }, "check-code", ...args);
  const whole = await check(address, "--keys", keys, "--status", status, "--file", saved("sealed.pdf", pdf));
  expect(whole.stderr).toBe("");
  const { host } = new URL(address);
  const time = String.raw`20\d\d-\d\d-\d\d \d\d:\d\d UTC`;
  for (const line of [
    "^Signed by a company not known here$",
    `^Issued by this company\\? Signed by a company of ${host}, by the keys of ${time}; which one is not known here`,
    `^In force today\\? Yes, by the list of ${time}\\.$`,
    "^  Type         Contract$",
    `^  Key          ${published[0]!.kid}$`,
  ]) {
    expect(whole.stdout).toMatch(new RegExp(line, "m"));
  }
  expect(whole.stdout).toContain("The file is the one that the code was made for.");
  expect(whole.exitCode).toBe(0);

  const without = await check(address, "--keys", keys);
  expect([without.exitCode, without.stdout]).toEqual([
    1,
    expect.stringMatching(/Unknown: no list .* is saved\. Open its address\.$/m),
  ]);
  const list = ["--status", status];
  const old = saved("old.json", JSON.stringify({ keys: published }));
  const dayBefore = Date.now() / 1000 - 86_460;
  utimesSync(old, dayBefore, dayBefore);
  const byOld = await check(address, "--keys", old, ...list);
  expect([byOld.exitCode, byOld.stdout]).toEqual([1, expect.stringContaining("revoked since is not known")]);
  const none = await check(address, "--keys", saved("none.json", '{"keys":[]}'));
  expect([none.exitCode, none.stdout]).toEqual([1, expect.stringContaining("No keys are saved yet")]);
  const changed = Uint8Array.from(pdf, (byte, n) => (n === 20 ? byte ^ 1 : byte));
  const other = await check(address, "--keys", keys, ...list, "--file", saved("changed.pdf", changed));
  expect([other.exitCode, other.stdout]).toEqual([1, expect.stringContaining("The file is not the one")]);
  const elsewhere = await check(address.replace("localhost", "evil.example"), "--keys", keys, ...list);
  expect([elsewhere.exitCode, elsewhere.stdout]).toEqual([1, expect.stringContaining("This code was altered")]);
  const cut = await check(address.slice(0, -5), "--keys", keys);
  expect([cut.exitCode, cut.stdout]).toEqual([1, expect.stringMatching(/incomplete/)]);
  const long = await check(address + "1".repeat(10_000), "--keys", keys);
  expect([long.exitCode, long.stdout]).toEqual([1, expect.stringContaining("not a document’s verification address")]);
  const unsigned = await check(address.replace(/\/\d+$/, ""), "--keys", keys);
  expect([unsigned.exitCode, unsigned.stdout]).toEqual([1, expect.stringContaining("not signed")]);
  for (const [args, code, words] of [
    [[address], 2, "--keys is missing"],
    [["--keys", keys], 2, "ADDRESS is missing"],
    [[address, "--keys", saved("empty.json", "")], 1, "is no JWK Set"],
    [[address, "--keys", saved("list.json", "[]")], 1, "is no JWK Set"],
    [[address, "--keys", join(folder, "missing.json")], 1, "is not there"],
    [[address, "--keys", keys, "--status", keys], 1, "is no status list by one of these keys"],
  ] as const) {
    const wrong = await check(...args);
    expect([wrong.exitCode, wrong.stderr]).toEqual([code, expect.stringContaining(words)]);
  }
});
