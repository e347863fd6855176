import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand, type Stores } from "../support/command.ts";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { picture } from "../support/page-files.ts";

/** The root's private key, taken away from the server and brought back. */

test.describe.configure({ mode: "parallel" });

/** Runs `seal-keys` with a passphrase in a file. */
const commands = (stores: Stores, passphrase: string) => ({
  sealKeys: (...args: string[]) => runCommand(stores, "seal-keys", ...args),
  root: (name: string, file: string) =>
    runCommand(stores, "seal-keys", `${name}-root`, file, "--passphrase", passphrase),
});

const outputWith = (exitCode: number, stream: "stdout" | "stderr", words: string) =>
  expect.objectContaining({ exitCode, [stream]: expect.stringContaining(words) });

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, the root's key is exported, removed and returned beside the server, which goes on sealing`, async ({
    sampleOn,
    freshFile,
  }) => {
    const stores = await sampleOn(kind);
    const [file, passphrase] = [freshFile(".pem"), freshFile(".txt")];
    writeFileSync(passphrase, "nine brass buttons\n");
    const { sealKeys, root } = commands(stores, passphrase);
    const server = await serve(stores);
    try {
      const roots = async () => (await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).text();
      // A restore has retired the sample's root.
      expect((await sealKeys("rotate", "--company", "1", "--now")).exitCode).toBe(0);
      const before = await roots();
      expect(await root("remove", file)).toEqual(outputWith(1, "stderr", "is not there"));
      expect(await root("export", file)).toEqual(outputWith(0, "stdout", "and still on this server"));
      const pem = readFileSync(file, "utf8");
      expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n[^-]+-----END ENCRYPTED PRIVATE KEY-----\n/);
      expect(before).toContain(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(pem)![0]);
      expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
      expect(await root("export", file)).toEqual(outputWith(1, "stderr", "already exists: choose another name"));
      expect(readFileSync(file, "utf8"), "nothing is overwritten").toBe(pem);

      const wrong = freshFile(".txt");
      writeFileSync(wrong, "ten brass buttons");
      const guess = await sealKeys("remove-root", file, "--passphrase", wrong);
      expect(guess).toEqual(outputWith(1, "stderr", "The passphrase does not decrypt the file's private key."));
      expect((await sealKeys("list")).stdout).not.toContain("is not on this server");
      expect(await root("remove", file)).toEqual(outputWith(0, "stdout", "companies that have a key go on sealing"));
      expect((await sealKeys("list")).stdout).toContain("The root's private key is not on this server");
      const another = freshFile(".pem");
      expect(await root("export", another)).toEqual(outputWith(1, "stderr", "which was removed from this server"));
      expect(existsSync(another)).toBe(false);
      const refused = await sealKeys("rotate", "--company", "1");
      expect(refused).toEqual(outputWith(1, "stderr", "return it with: seal-keys return-root FILE"));

      const client = await signInClient(server.url);
      const draft = await startDraft(client, "Issued without the root's key");
      const { buffer } = await picture("page.png", "#abc");
      await addPages(client, draft, [new File([new Uint8Array(buffer)], "page.png")]);
      const path = await create(client, draft);
      expect((await client.get(`/files${path}/sealed.pdf`)).status).toBe(200);

      const id = /^([0-9a-f]{8}) {2}active/m.exec((await sealKeys("list")).stdout)![1]!;
      const revoked = await sealKeys("revoke", id, "--reason", "compromised");
      expect(revoked).toEqual(
        outputWith(0, "stdout", "needs the root's private key: return it with: seal-keys return-root"),
      );
      const next = await startDraft(client, "Issued without any key");
      await addPages(client, next, [new File([new Uint8Array(buffer)], "page.png")]);
      const waiting = await create(client, next);
      expect((await client.get(`/files${waiting}/sealed.pdf`)).status).toBe(503);
      await expect.poll(() => server.errors()).toContain("the root's private key is needed");

      expect(await root("return", passphrase)).toEqual(
        outputWith(1, "stderr", "The file has no encrypted private key"),
      );
      expect(await root("return", file)).toEqual(outputWith(0, "stdout", "is on this server again"));
      expect((await client.get(`/files${waiting}/sealed.pdf`)).status).toBe(200);
      expect(await roots(), "the root is the same").toBe(before);
    } finally {
      await server.stop();
    }
    expect((await runCommand(stores, "verify")).stdout).toContain("No fault.");
  });
}

test("a removed root is the root after restores, with company keys or without, and is returned there", async ({
  emptyOf,
  sampleStores,
  freshFile,
}) => {
  const stores = await sampleStores();
  const [file, passphrase, without, withKeys] = [freshFile(".pem"), freshFile(".txt"), freshFile(), freshFile()];
  writeFileSync(passphrase, "nine brass buttons\n");
  const { root } = commands(stores, passphrase);
  expect((await root("export", file)).exitCode).toBe(0);
  expect((await root("remove", file)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", without)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", withKeys, "--with-keys", passphrase)).exitCode).toBe(0);

  for (const [backup, options, state] of [
    [withKeys, ["--with-keys", passphrase], "active"],
    [withKeys, ["--without-keys"], "retired"],
    [without, [], "retired"],
  ] as const) {
    const target = await emptyOf("SQLite");
    const restored = await runCommand(target, "restore", backup, ...options);
    expect(restored).toEqual(outputWith(0, "stderr", "return it with seal-keys return-root FILE"));
    expect(restored.stderr.includes("The private keys of companies were not restored")).toBe(state === "retired");
    const there = commands(target, passphrase);
    expect((await there.sealKeys("list")).stdout).toContain(`  ${state} `);
    expect(await there.sealKeys("rotate", "--company", "1")).toEqual(
      outputWith(1, "stderr", "seal-keys return-root FILE"),
    );
    expect((await there.root("return", file)).exitCode).toBe(0);
    expect(await there.sealKeys("rotate", "--company", "1")).toEqual(outputWith(0, "stdout", "has key"));
    const server = await serve(target);
    const roots = await (await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).text();
    await server.stop();
    expect(roots.match(/BEGIN CERTIFICATE/g), "no other root was made").toHaveLength(1);
  }
});

test("an exported root is returned after a restore that lost it, before another is made", async ({
  emptyOf,
  sampleStores,
  freshFile,
}) => {
  const stores = await sampleStores();
  const [file, passphrase, backup] = [freshFile(".pem"), freshFile(".txt"), freshFile()];
  writeFileSync(passphrase, "nine brass buttons\n");
  expect((await commands(stores, passphrase).root("export", file)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", backup)).exitCode).toBe(0);
  const target = await emptyOf("SQLite");
  const { root, sealKeys } = commands(target, passphrase);
  expect(await runCommand(target, "restore", backup)).toEqual(
    outputWith(0, "stderr", "An exported root can be returned before: seal-keys return-root FILE"),
  );
  expect((await root("return", file)).exitCode).toBe(0);
  expect((await sealKeys("rotate", "--company", "1")).exitCode).toBe(0);
  const server = await serve(target);
  const roots = await (await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).text();
  await server.stop();
  expect(roots.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
});

test("what is missing in a command on the root's key is said", async ({ emptyOf, freshFile }) => {
  const { sealKeys, root } = commands(await emptyOf("SQLite"), freshFile(".txt"));
  expect(await sealKeys("export-root")).toEqual(outputWith(2, "stderr", "FILE is missing"));
  expect(await sealKeys("return-root", "root.pem")).toEqual(outputWith(2, "stderr", "--passphrase is missing"));
  expect(await root("export", "root.pem")).toEqual(outputWith(1, "stderr", "is not there"));
});
