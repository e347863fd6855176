import { execFile } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, suite, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { sealPages } from "#tests/fixtures/sealed-file.ts";
import { companyName, pemOf, signerOf, testLeaf } from "#tests/fixtures/signer.ts";
import { rootCertificate } from "./certificates.ts";
import { headOf, isListOf, listAddresses, type RevokedKey, revocationList } from "./revocation-list.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "sealdesk-revoked-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const now = new Date();
const at = new Date(now.getTime() - 3_600_000);
const until = new Date(now.getTime() + 3_600_000);
const rootKey = newKey();
const root = rootCertificate({ name: { commonName: "Root", organization: "Sealdesk" }, key: rootKey, at });
const issuer = { certificate: root, privateKey: rootKey };
const [key, otherKey] = [newKey(), newKey()];
const leaf = testLeaf(companyName, key, { at, issuer });
const other = testLeaf("Another", otherKey, { at, issuer });
const listOf = (...revoked: RevokedKey[]) => revocationList(issuer, revoked, { at, until });
const revoked: RevokedKey = { certificate: leaf, at, reason: "compromised" };

const rootPem = fileOf("root.pem", pemOf(root));
const openssl = async (...args: string[]) => (await run("openssl", args)).stdout;

suite("a revocation list", () => {
  test.skipIf(without("openssl"))("is one that openssl reads, with the keys and their reasons", async () => {
    const superseded: RevokedKey = { certificate: other, at, reason: "superseded" };
    const list = fileOf("list", listOf(revoked, superseded));
    const read = ["crl", "-inform", "DER", "-in", list, "-noout"];
    const text = await openssl(...read, "-text", "-CAfile", rootPem);
    for (const certificate of [leaf, other]) expect(text).toContain(new X509Certificate(certificate).serialNumber);
    expect(text).toMatch(/Key Compromise[^]*Superseded/);
    expect((await run("openssl", [...read, "-CAfile", rootPem])).stderr).toContain("verify OK");
  });

  test.skipIf(without("openssl"))("has openssl call the revoked key revoked, and the other one good", async () => {
    const pem = await openssl("crl", "-inform", "DER", "-in", fileOf("list", listOf(revoked)));
    const trusted = fileOf("trusted", pemOf(root) + pem);
    const verify = (certificate: Buffer) =>
      openssl("verify", "-x509_strict", "-crl_check", "-CAfile", trusted, fileOf("leaf", pemOf(certificate)));
    expect(await verify(other)).toContain("OK");
    await expect(verify(leaf)).rejects.toMatchObject({ stderr: expect.stringContaining("certificate revoked") });
  });

  const withoutNss = without("pdfsig") || without("crlutil");
  test.skipIf(withoutNss)("has pdfsig show the company as organization, and its key as revoked", async () => {
    const nss = `sql:${folder}`;
    await run("certutil", ["-N", "-d", nss, "--empty-password"]);
    await run("certutil", ["-A", "-d", nss, "-n", "sealdesk", "-t", "C,C,C", "-i", rootPem]);
    const { path } = await sealPages([["Amount 100"]], join(folder, "sealed.pdf"), signerOf(key, [leaf, root]));
    const pdfsig = async () => (await run("pdfsig", ["-nssdir", nss, path])).stdout;
    const before = await pdfsig();
    expect(before).toContain("Certificate is Trusted");
    expect(before).toContain(`O=${companyName}`);
    await run("crlutil", ["-I", "-d", nss, "-t", "1", "-i", fileOf("list", listOf(revoked))]);
    expect(await pdfsig()).toContain("Certificate has been Revoked");
  });

  test("is told from those of other roots, changed ones and those of another time", () => {
    const list = listOf(revoked);
    const certificate = new X509Certificate(root);
    expect(isListOf(list, certificate, now)).toBe(true);
    expect(headOf(list)).toMatchObject({ until: Math.floor(until.getTime() / 1000) * 1000, revoked: 1 });
    expect(headOf(listOf()).revoked).toBe(0);
    const impostor = rootCertificate({ name: { commonName: "Root", organization: "Sealdesk" }, key: newKey(), at });
    expect(isListOf(list, new X509Certificate(impostor), now)).toBe(false);
    expect(isListOf(list, new X509Certificate(other), now)).toBe(false);
    expect(isListOf(list, certificate, new Date(at.getTime() - 1000))).toBe(false);
    expect(isListOf(list, certificate, until)).toBe(false);
    for (let n = 0; n < list.length; n++) {
      const changed = Buffer.from(list);
      changed[n]! ^= 1;
      expect(isListOf(changed, certificate, now), `byte ${n}`).toBe(false);
      expect(isListOf(list.subarray(0, n), certificate, now), `cut at ${n}`).toBe(false);
    }
  });
});

test("the address of a list is read from a certificate, if it has one that can be fetched", () => {
  const addressesOf = (revocationListUrl: string) =>
    listAddresses(new X509Certificate(testLeaf("A", key, { at, issuer }, { revocationList: revocationListUrl })));
  expect(addressesOf("http://a.example/b.crl")).toEqual(["http://a.example/b.crl"]);
  expect(addressesOf("ldap://a.example/b")).toEqual([]);
  expect(addressesOf("http://")).toEqual([]);
  expect(listAddresses(new X509Certificate(root))).toEqual([]);
});
