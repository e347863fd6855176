import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { expect, test } from "../support/backups.ts";
import { runCommand } from "../support/command.ts";
import { startServer } from "../support/server.ts";
import { hasSoftToken, type SoftToken, softToken } from "../fixtures/soft-token.ts";

/** The key that seals is on a PKCS #11 token. */

test.skip(!hasSoftToken, "needs Debian's packages softhsm2 and opensc");

let token: SoftToken;
test.beforeEach(() => {
  token = softToken();
});
test.afterEach(() => token.remove());

/** Settings as an operator gives them. */
function settings() {
  const [pin, certificates] = [join(token.directory, "pin"), join(token.directory, "seal.pem")];
  writeFileSync(certificates, token.addKey("seal key", "01"));
  const { module, label, key, pin: digits } = token.settings({});
  writeFileSync(pin, `${digits}\n`);
  return {
    SOFTHSM2_CONF: token.environment.SOFTHSM2_CONF,
    SEAL_TOKEN_MODULE: module,
    SEAL_TOKEN_LABEL: label,
    SEAL_TOKEN_KEY: key,
    SEAL_TOKEN_PIN_FILE: pin,
    SEAL_TOKEN_CERTIFICATES_FILE: certificates,
  };
}

test("the server starts with it, and publishes the root of its certificate", async ({ sampleStores }) => {
  const { DATA_DIR } = await sampleStores();
  const server = await startServer({ on: DATA_DIR, env: settings() });
  const page = await (await fetch(`${server.url}/seals`)).text();
  expect(page).toContain("Their root");
  await server.stop();
});

test("a wrong PIN stops the start and a command with one sentence", async ({ emptyOf }) => {
  const stores = await emptyOf("SQLite");
  const wrong = { ...settings(), SEAL_TOKEN_PIN_FILE: "", SEAL_TOKEN_PIN: "000000" };
  const { status, stderr } = spawnSync("npx", ["--no-install", "react-router-serve", "build/server/index.js"], {
    env: { ...environment, ...stores, ...wrong, PORT: "4198" },
    encoding: "utf8",
  });
  const sentence = "SEAL_TOKEN_PIN: the token refuses this PIN (CKR_PIN_INCORRECT)";
  expect([status, stderr]).toEqual([1, expect.stringContaining(`Sealdesk can't start: ${sentence}`)]);
  const seeded = await runCommand({ ...stores, ...wrong }, "seed");
  expect([seeded.exitCode, seeded.stderr]).toEqual([1, `${sentence}\n`]);
});
