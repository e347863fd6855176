import { type KeyObject, X509Certificate, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testLeaf } from "#tests/fixtures/signer.ts";
import { rootCertificate } from "./certificates.ts";
import { readKeyFile } from "./key-file.ts";
import { OperatorKeyRefused } from "./operator-key.ts";

const now = new Date("2026-11-25T10:00:00Z");
const organization = "An operator";
const ecKey = (namedCurve = "P-256") => generateKeyPairSync("ec", { namedCurve }).privateKey;
const rsaKey = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).privateKey;

function makeRoot(at = now) {
  const key = ecKey();
  return {
    privateKey: key,
    certificate: rootCertificate({ name: { commonName: "Their root", organization }, key, at }),
  };
}

function makeLeaf(key: KeyObject, { issuer = makeRoot(), at = now } = {}) {
  return testLeaf("Their seal", key, { at, issuer });
}

const certificatePem = (der: Buffer) => new X509Certificate(der).toString();
const keyPem = (key: KeyObject, passphrase?: string) =>
  String(
    key.export({ type: "pkcs8", format: "pem", ...(passphrase && { cipher: "aes-256-cbc", passphrase }) } as {
      type: "pkcs8";
      format: "pem";
    }),
  );

const message = Buffer.from("what is signed");
const signs = async (key: KeyObject, { signFile }: { signFile(bytes: Uint8Array): Promise<Uint8Array> }) =>
  verify("sha256", message, createPublicKey(key), await signFile(message));

const kinds: [string, () => KeyObject][] = [
  ["P-256", () => ecKey()],
  ["P-384", () => ecKey("P-384")],
  ["RSA of 2048 bits", () => rsaKey(2048)],
];
test.each(kinds)(
  "a key of kind %s is read with its chain in order, whatever the order in the file",
  async (_, make) => {
    const [issuer, key] = [makeRoot(), make()];
    const leaf = makeLeaf(key, { issuer });
    const stranger = makeRoot().certificate;
    const file = [stranger, issuer.certificate, leaf].map(certificatePem).join("") + keyPem(key);
    const keyFile = readKeyFile(file, undefined, now);
    expect(keyFile.chain).toEqual([leaf, issuer.certificate]);
    expect(await signs(key, keyFile)).toBe(true);
  },
);

test("an encrypted key is read with its passphrase", async () => {
  const key = ecKey();
  const file = certificatePem(makeLeaf(key)) + keyPem(key, "open sesame");
  expect(await signs(key, readKeyFile(file, "open sesame", now))).toBe(true);
  expect(() => readKeyFile(file, undefined, now)).toThrow("its private key is encrypted: give SEAL_KEY_PASSPHRASE");
  expect(() => readKeyFile(file, "open", now)).toThrow("SEAL_KEY_PASSPHRASE does not decrypt its private key");
});

const refused: [string, () => string, string][] = [
  ["without a key", () => certificatePem(makeRoot().certificate), "there is no private key in it"],
  ["without a certificate", () => keyPem(ecKey()), "there is no certificate in it"],
  ["of another kind", () => "PK\u0003\u0004 not PEM", "there is no private key in it"],
  [
    "with a damaged key",
    () => "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    "its private key can't be read",
  ],
  ["with two keys", () => keyPem(ecKey()) + keyPem(ecKey()), "there are several private keys in it"],
  ["with a key on another curve", () => keyPem(ecKey("P-521")), "its key is of another kind"],
  ["with a short RSA key", () => keyPem(rsaKey(1024)), "its key is of another kind"],
  ["with an Ed25519 key", () => keyPem(generateKeyPairSync("ed25519").privateKey), "its key is of another kind"],
  [
    "with a damaged certificate",
    () => `${keyPem(ecKey())}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    "its certificate number 1 can't be read",
  ],
  [
    "with another key's certificate",
    () => keyPem(ecKey()) + certificatePem(makeLeaf(ecKey())),
    "none of its certificates belongs to its private key",
  ],
  ["that is too long", () => "x".repeat(200_001), "the file is too long"],
];
test.each(refused)("a file %s is refused in words", (_, make, reason) => {
  expect(() => readKeyFile(make(), undefined, now)).toThrow(OperatorKeyRefused);
  expect(() => readKeyFile(make(), undefined, now)).toThrow(`SEAL_KEY_FILE: ${reason}`);
});

test("an expired certificate is refused with its name and day, and so is one that is not valid yet", () => {
  const key = ecKey();
  const issuer = makeRoot();
  const farFuture = new Date("2056-11-26T00:00:00Z");
  const file = keyPem(key) + certificatePem(makeLeaf(key, { issuer }));
  expect(() => readKeyFile(file, undefined, farFuture)).toThrow("the certificate of Their seal expired on 2056-11-25");
  const early = new Date("2026-11-24T00:00:00Z");
  expect(() => readKeyFile(file, undefined, early)).toThrow(
    "the certificate of Their seal is valid only from 2026-11-25",
  );
});

test("an expired issuer is refused as well", () => {
  const key = ecKey();
  const issuer = makeRoot(new Date("1996-01-01T00:00:00Z"));
  const file = keyPem(key) + certificatePem(makeLeaf(key, { issuer })) + certificatePem(issuer.certificate);
  expect(() => readKeyFile(file, undefined, now)).toThrow("expired on 2026-01-01");
});

test.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
  "a certificate for other uses than signatures of documents is refused",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "key-file-"));
    try {
      const file = (extension: string) => {
        const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
        const options = [
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:prime256v1",
          "-nodes",
          "-subj",
          "/CN=x",
        ];
        const result = spawnSync("openssl", [
          "req",
          ...options,
          "-addext",
          extension,
          "-keyout",
          key,
          "-out",
          certificate,
        ]);
        expect(result.status, String(result.stderr)).toBe(0);
        return readFileSync(key, "utf8") + readFileSync(certificate, "utf8");
      };
      expect(() => readKeyFile(file("extendedKeyUsage=serverAuth"), undefined, new Date())).toThrow(
        "is for other uses",
      );
      const noSignatures = "keyUsage=critical,keyCertSign,cRLSign";
      expect(() => readKeyFile(file(noSignatures), undefined, new Date())).toThrow("does not allow its key to sign");
      for (const usage of ["critical,nonRepudiation", "digitalSignature,keyEncipherment"])
        expect(readKeyFile(file(`keyUsage=${usage}`), undefined, new Date()).chain).toHaveLength(1);
      expect(readKeyFile(file("extendedKeyUsage=emailProtection"), undefined, new Date()).chain).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
