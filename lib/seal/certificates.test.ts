import { X509Certificate, createPublicKey, generateKeyPairSync } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leafCertificate, rootCertificate } from "./certificates.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

function chain({ name = "Blömker – Söhne", at = new Date("2026-11-25T10:00:00Z") } = {}) {
  const rootKey = newKey();
  const root = rootCertificate({
    name: { commonName: "Root certificate of seals.example", organization: "Sealdesk" },
    key: rootKey,
    at,
  });
  const key = newKey();
  const leaf = leafCertificate({
    name: { commonName: name, organization: "issued through https://seals.example" },
    url: "https://seals.example",
    publicKey: createPublicKey(key),
    at,
    issuer: { certificate: root, privateKey: rootKey },
  });
  return { root, leaf, key };
}

const pem = (certificate: Buffer) => new X509Certificate(certificate).toString();

test("a company's certificate names it, the address and its key", () => {
  const { root, leaf, key } = chain();
  const certificate = new X509Certificate(leaf);
  expect(certificate.subject).toBe("O=issued through https://seals.example\nCN=Blömker – Söhne");
  expect(certificate.subjectAltName).toBe("URI:https://seals.example");
  expect(certificate.ca).toBe(false);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.checkIssued(new X509Certificate(root))).toBe(true);
  expect(certificate.verify(new X509Certificate(root).publicKey)).toBe(true);
  expect(certificate.keyUsage ?? []).toEqual([]);
});

test("both certificates are valid for thirty years, from an hour before they were made", () => {
  const { root, leaf } = chain();
  for (const certificate of [new X509Certificate(root), new X509Certificate(leaf)]) {
    expect(certificate.validFromDate.toISOString()).toBe("2026-11-25T09:00:00.000Z");
    expect(certificate.validToDate.toISOString()).toBe("2056-11-25T10:00:00.000Z");
  }
});

test("a name of more than 64 characters is shortened", () => {
  const { leaf } = chain({ name: "😀".repeat(65) });
  expect(new X509Certificate(leaf).subject).toContain(`CN=${"😀".repeat(63)}…`);
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
    expect(text).not.toMatch(/Extended Key Usage|CRL|OCSP/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
