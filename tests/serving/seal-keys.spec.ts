import { spawnSync } from "node:child_process";
import { X509Certificate, generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand, type Stores } from "../support/command.ts";
import { startServer } from "../support/server.ts";

/** Operators' work with seal keys: the command, backups, their own key, and the secret. */

test.describe.configure({ mode: "parallel" });

const command = (stores: Stores, ...args: string[]) => runCommand(stores, "seal-keys", ...args);

/** The short ids of keys in a command's output, by state. */
async function keysOf(stores: Stores) {
  const { stdout } = await command(stores, "list");
  return [...stdout.matchAll(/^([0-9a-f]{8}) {2}(\w+) /gm)].map(([, id, state]) => ({ id: id!, state: state! }));
}

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, an operator makes, lists and revokes keys beside the server, which publishes them`, async ({
    sampleOn,
  }) => {
    const stores = await sampleOn(kind);
    const server = await serve(stores);
    try {
      const published = async () => (await fetch(`${server.url}/.well-known/jwks.json`)).json();
      const has = async (state: string) => (await keysOf(stores)).filter((key) => key.state === state);
      expect((await command(stores, "rotate", "--company", "1", "--now")).stdout).toContain(
        "company 1 (Hallam & Reid Ltd) has key",
      );
      const [first] = await has("active");
      const renewed = await command(stores, "rotate", "--all", "--new-root");
      expect([renewed.exitCode, renewed.stdout]).toEqual([
        0,
        expect.stringMatching(/has key \w+, used from 20[\dT:.-]+Z on/),
      ]);
      expect([await has("active"), (await has("next")).length]).toEqual([[first], 1]);
      expect((await command(stores, "rotate", "--all")).stdout).toContain("is published already");
      expect((await command(stores, "rotate", "--all", "--now")).exitCode).toBe(0);
      expect([(await has("active")).length, await has("next")]).toEqual([1, []]);
      const revoked = await command(stores, "revoke", first!.id, "--reason", "compromised");
      expect([revoked.exitCode, revoked.stdout]).toEqual([0, expect.stringContaining(`Key ${first!.id} is revoked`)]);
      const { keys } = (await published()) as { keys: { revoked_reason?: string }[] };
      expect(keys.map(({ revoked_reason }) => revoked_reason).filter(Boolean)).toEqual(["compromised"]);
      expect(keys).toHaveLength((await keysOf(stores)).length);
      const roots = await (await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).text();
      expect(roots.match(/BEGIN CERTIFICATE/g)).toHaveLength(kind === "PostgreSQL" ? 3 : 2);
      const page = await (await fetch(`${server.url}/seals`)).text();
      expect(page).toContain(new X509Certificate(roots).fingerprint256.replaceAll(":", " "));
      for (const [args, code, words] of [
        [["rotate"], 2, "give either --company or --all"],
        [["rotate", "--company", "99"], 1, "There is no company 99."],
        [["revoke", "00000000", "--reason", "compromised"], 1, "There is no key 00000000"],
        [["revoke", first!.id], 2, "--reason is one of compromised, superseded, unspecified"],
        [["revoke", first!.id, "--reason", "compromised"], 1, `Key ${first!.id} is revoked already.`],
      ] as const) {
        expect(await command(stores, ...args)).toMatchObject({
          exitCode: code,
          stderr: expect.stringContaining(words),
        });
      }
    } finally {
      await server.stop();
    }
    expect((await runCommand(stores, "verify")).stdout).toContain("No fault.");
  });
}

test("before the first seal there are no keys, and no root certificate", async ({ emptyOf }) => {
  const stores = await emptyOf("SQLite");
  const server = await serve(stores);
  expect((await command(stores, "list")).stdout).toContain("There are no seal keys yet");
  expect((await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).status).toBe(404);
  await server.stop();
});

test("the list of keys is read by other sites, kept for an hour and asked for again by its ETag", async ({
  sampleStores,
}) => {
  const stores = await sampleStores();
  await command(stores, "rotate", "--company", "1");
  const server = await serve(stores);
  const address = `${server.url}/.well-known/jwks.json`;
  const { headers } = await fetch(address);
  expect(headers.get("content-type")).toBe("application/jwk-set+json");
  expect(headers.get("cache-control")).toBe("public, max-age=3600");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.getSetCookie()).toEqual([]);
  const conditionalReply = await fetch(address, { headers: { "if-none-match": headers.get("etag")! } });
  expect([conditionalReply.status, await conditionalReply.text()]).toEqual([304, ""]);
  await server.stop();
});

test("private keys are in a backup only with a passphrase, and a restore without them makes new ones", async ({
  emptyOf,
  sampleStores,
  freshFile,
}) => {
  const stores = await sampleStores();
  await command(stores, "rotate", "--company", "1");
  const keys = await keysOf(stores);
  const retired = keys.map(({ id }) => ({ id, state: "retired" }));
  const passphrase = freshFile(".txt");
  writeFileSync(passphrase, "nine brass buttons\n");

  const [without, withKeys] = [freshFile(), freshFile()];
  expect((await runCommand(stores, "backup", without)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", withKeys, "--with-keys", passphrase)).exitCode).toBe(0);
  const privateKey = /"1\.[sp][\w-]+\.[\w-]+"/;
  expect(readFileSync(without, "latin1")).not.toMatch(privateKey);
  expect(readFileSync(withKeys, "latin1")).toMatch(/"1\.p[\w-]+\.[\w-]+"/);
  expect(readFileSync(withKeys, "latin1")).not.toMatch(/"1\.s[\w-]+\.[\w-]+"/);

  const emptyStores = await emptyOf("SQLite");
  const restored = await runCommand(emptyStores, "restore", without);
  expect([restored.exitCode, restored.stderr]).toEqual([
    0,
    expect.stringContaining("The private seal keys were not restored: the next seal makes a new root certificate."),
  ]);
  expect(await keysOf(emptyStores)).toEqual(retired);
  expect((await command(emptyStores, "rotate", "--company", "1")).exitCode).toBe(0);
  const server = await serve(emptyStores);
  const roots = await (await fetch(`${server.url}/.well-known/sealdesk-root.pem`)).text();
  expect(roots.match(/BEGIN CERTIFICATE/g), "both roots are published").toHaveLength(2);
  await server.stop();

  const target = await emptyOf("SQLite");
  expect(await runCommand(target, "restore", withKeys)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("give the file with their passphrase by --with-keys"),
  });
  const wrong = freshFile(".txt");
  writeFileSync(wrong, "ten brass buttons");
  expect(await runCommand(target, "restore", withKeys, "--with-keys", wrong)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("The passphrase does not decrypt the backup's private keys and client secrets."),
  });
  const full = await runCommand(target, "restore", withKeys, "--with-keys", passphrase);
  expect([full.exitCode, full.stderr]).toEqual([0, expect.not.stringContaining("were not restored")]);
  expect(await keysOf(target)).toEqual(keys);
  // The root's key signs another company key, so it was restored as well.
  expect((await command(target, "rotate", "--company", "1", "--now")).exitCode).toBe(0);
  const none = await emptyOf("SQLite");
  expect(await runCommand(none, "restore", withKeys, "--without-keys")).toMatchObject({ exitCode: 0 });
  expect(await keysOf(none)).toEqual(retired);
});

test("a lost secret is said in words, its keys stay published, and new ones can be made", async ({ sampleStores }) => {
  const stores = await sampleStores();
  await command(stores, "rotate", "--company", "1");
  const [older, newer] = ["0d9f4be61a7c83525e6f90ab3cd41728", "b7e1d3c95f8a4026e1c7d09a36f4852b"];
  const sealSecret = readFileSync(join(stores.DATA_DIR, "seal-secret"), "utf8").trim();
  const rotated = await startServer({ on: stores.DATA_DIR, env: { SEAL_SECRET: `${older},${sealSecret}` } });
  await rotated.stop();
  const server = await startServer({ on: stores.DATA_DIR, env: { SEAL_SECRET: newer } });
  expect(server.output()).toContain("seal keys can't be decrypted");
  expect(server.output()).toContain("seal-keys rotate --all --new-root");
  expect((await (await fetch(`${server.url}/.well-known/jwks.json`)).json()).keys).toHaveLength(2);
  await server.stop();
  const emptyStores = { ...stores, SEAL_SECRET: newer };
  const refused = await command(emptyStores, "rotate", "--company", "1");
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("another SEAL_SECRET")]);
  expect((await command({ ...stores, SEAL_SECRET: older }, "rotate", "--company", "1", "--now")).exitCode).toBe(0);
  expect((await command(emptyStores, "rotate", "--all", "--new-root")).exitCode).toBe(0);
  expect((await keysOf(emptyStores)).map(({ state }) => state)).toEqual(["retired", "retired", "retired", "active"]);
});

test("an operator's key that can't be used stops the start with the reason", async ({ emptyOf, freshFile }) => {
  const stores = await emptyOf("SQLite");
  const start = (content: string) => {
    const SEAL_KEY_FILE = freshFile(".pem");
    writeFileSync(SEAL_KEY_FILE, content);
    return spawnSync("npx", ["--no-install", "react-router-serve", "build/server/index.js"], {
      env: { ...environment, ...stores, PORT: "4199", SEAL_KEY_FILE },
      encoding: "utf8",
    });
  };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-521" });
  for (const [content, reason] of [
    ["\n", "SEAL_KEY_FILE: the file is empty"],
    ["nothing", "SEAL_KEY_FILE: there is no private key in it"],
    [String(privateKey.export({ type: "pkcs8", format: "pem" })), "SEAL_KEY_FILE: its key is of another kind"],
  ] as const) {
    const { status, stderr } = start(content);
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
});
