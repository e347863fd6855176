import { X509Certificate, generateKeyPairSync } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testLeaf } from "#tests/fixtures/signer.ts";
import { type LeafOptions, rootCertificate } from "./certificates.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

const at = new Date("2026-11-25T10:00:00Z");

function chain(name = "Blömker – Söhne", change: Partial<LeafOptions> = {}) {
  const rootKey = newKey();
  const root = rootCertificate({
    name: { commonName: "Root certificate of seals.example", organization: "Sealdesk" },
    key: rootKey,
    at,
  });
  const key = newKey();
  const issuer = { certificate: root, privateKey: rootKey };
  const leaf = testLeaf(name, key, { at, issuer }, change);
  return { root, leaf, key };
}

const pem = (certificate: Buffer) => new X509Certificate(certificate).toString();

test("a company's certificate names it, the address and its key", () => {
  const organization = "Blömker – Söhne";
  const name = { commonName: organization, organization, country: "DE", organizationId: "VATDE-123456789" };
  const { root, leaf, key } = chain(organization, { name });
  const certificate = new X509Certificate(leaf);
  expect(certificate.subject).toBe(
    "C=DE\nO=Blömker – Söhne\norganizationIdentifier=VATDE-123456789\nCN=Blömker – Söhne",
  );
  expect(certificate.subjectAltName).toBe("URI:https://sealdesk.example");
  expect(certificate.ca).toBe(false);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.checkIssued(new X509Certificate(root))).toBe(true);
  expect(certificate.verify(new X509Certificate(root).publicKey)).toBe(true);
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.36", "1.3.6.1.5.5.7.3.4"]);
  expect(new X509Certificate(chain().leaf).subject).toBe("O=Blömker – Söhne\nCN=Blömker – Söhne");
});

test("both certificates are valid for thirty years, from an hour before they were made", () => {
  const { root, leaf } = chain();
  for (const certificate of [new X509Certificate(root), new X509Certificate(leaf)]) {
    expect(certificate.validFromDate.toISOString()).toBe("2026-11-25T09:00:00.000Z");
    expect(certificate.validToDate.toISOString()).toBe("2056-11-25T10:00:00.000Z");
  }
});

test("a name of more than 64 characters is shortened", () => {
  const { leaf } = chain("😀".repeat(65));
  expect(new X509Certificate(leaf).subject).toBe(["O", "CN"].map((part) => `${part}=${"😀".repeat(63)}…`).join("\n"));
});

test.skipIf(!hasOpenssl)("openssl finds both in order, by its strict rules, for every purpose of a signature", () => {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  try {
    const { root, leaf } = chain();
    const [rootFile, leafFile] = [join(folder, "root.pem"), join(folder, "leaf.pem")];
    writeFileSync(rootFile, pem(root));
    writeFileSync(leafFile, pem(leaf));
    const verify = (...options: string[]) =>
      execFileSync("openssl", ["verify", "-x509_strict", ...options, "-CAfile", rootFile, leafFile], {
        encoding: "utf8",
      });
    expect(verify("-check_ss_sig")).toBe(`${leafFile}: OK\n`);
    expect(verify("-purpose", "smimesign")).toBe(`${leafFile}: OK\n`);
    const text = execFileSync("openssl", ["x509", "-in", leafFile, "-noout", "-text"], { encoding: "utf8" });
    expect(text).toContain("Digital Signature, Non Repudiation");
    expect(text).toMatch(/Subject Key Identifier: *\n *(01:){31}01\n/i);
    expect(text).toContain("URI:https://sealdesk.example/.well-known/revocation-lists/0");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
