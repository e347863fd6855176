import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { decryptedPem, encryptedPem } from "./encrypted-key.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const passphrase = "nine brass bütton\u0301s";

test("a key is read back with its passphrase, however that was typed, and not with another", () => {
  const pem = encryptedPem(key, passphrase);
  expect(decryptedPem(pem, passphrase.normalize("NFD"))!.equals(key)).toBe(true);
  expect(decryptedPem(pem, "ten brass buttons")).toBeUndefined();
  expect(decryptedPem(pem.replace(/.{4}(?=\n-----END)/, "AAAA"), passphrase)).toBeUndefined();
  expect(encryptedPem(key, passphrase)).not.toBe(pem);
});

test.skipIf(without("openssl"))("openssl reads an encrypted key", () => {
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-key-"));
  try {
    const path = join(folder, "key.pem");
    writeFileSync(path, encryptedPem(key, "nine brass buttons"));
    const decryptedKey = execFileSync("openssl", ["pkey", "-in", path, "-passin", "pass:nine brass buttons"]);
    expect(createPrivateKey(decryptedKey).equals(key)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
