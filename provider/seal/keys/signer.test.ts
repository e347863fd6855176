import { X509Certificate, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { operatorPem, signerOf } from "#tests/fixtures/signer.ts";
import { rootCertificate } from "#lib/seal/certificates.ts";
import { secretKey, wrappedBy } from "#lib/seal/wrapping.ts";
import { changeOperatorKey } from "../../open-services.ts";
import { rewrapKeys } from "./re-encrypt.ts";
import { companySigner, warnBeforeExpiry } from "./signer.ts";

const suite = describe.runIf(hasDatabase());

const message = Buffer.from("what is signed");
const rows = ({ db }: TestProvider, table: "seal_keys" | "seal_roots" = "seal_keys") =>
  db
    .selectFrom(table as "seal_keys")
    .selectAll()
    .orderBy("id")
    .execute();

suite("a company's signer", () => {
  test("signs files and codes with one key, whose certificate names the company and comes from the root", async () => {
    const provider = await testProvider();
    const { id } = await provider.company("Hallam Surveyors");
    const signer = await companySigner(provider.services, id);
    const [leaf, root, ...more] = signer.chain.map((der) => new X509Certificate(der));
    expect(more).toEqual([]);
    expect(leaf!.subject).toBe("O=Hallam Surveyors\nCN=Hallam Surveyors");
    expect(root!.subject).toBe("O=Sealdesk\nCN=Root certificate of sealdesk.example");
    expect(leaf!.verify(root!.publicKey)).toBe(true);
    expect(verify("sha256", message, leaf!.publicKey, await signer.signFile(message))).toBe(true);
    const raw = await signer.signCode(message);
    expect(raw).toHaveLength(64);
    expect(verify("sha256", message, { key: leaf!.publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
  });

  test("is the same at its next use, and another company's has the same root", async () => {
    const provider = await testProvider();
    const [one, other] = [await provider.company(), await provider.company()];
    const first = await companySigner(provider.services, one.id);
    expect((await companySigner(provider.services, one.id)).chain).toEqual(first.chain);
    const second = await companySigner(provider.services, other.id);
    expect(second.shortId).not.toBe(first.shortId);
    expect(second.chain[1]).toEqual(first.chain[1]);
  });

  test("is made once when many want it first", async () => {
    const provider = await testProvider();
    const companies = [await provider.company(), await provider.company()];
    const signers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => companySigner(provider.services, companies[n % 2]!.id)),
    );
    expect(new Set(signers.map(({ shortId }) => shortId)).size).toBe(2);
    expect([(await rows(provider)).length, (await rows(provider, "seal_roots")).length]).toEqual([2, 1]);
  });

  test("leaves no private key that can be read in the database", async () => {
    const provider = await testProvider();
    const { id } = await provider.company();
    await companySigner(provider.services, id);
    for (const { private_key } of [...(await rows(provider)), ...(await rows(provider, "seal_roots"))]) {
      expect(private_key).toMatch(/^1\.s[\w-]+\.[\w-]+$/);
      expect(() => createPublicKey(Buffer.from(private_key!.split(".")[2]!, "base64url"))).toThrow();
    }
  });

  test("uses the operator's own key for files, and the company's for codes", async () => {
    const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const name = { commonName: "x", organization: "x" };
    const chain = [rootCertificate({ name, key, at: new Date("2026-11-01T10:00:00Z") })];
    const provider = await testProvider();
    const { id } = await provider.company();
    const own = await companySigner(provider.services, id);
    const seals = { ...provider.services.seals, operatorKey: signerOf(privateKey, chain) };
    const signer = await companySigner({ ...provider.services, seals }, id);
    expect(signer.chain).toEqual(chain);
    expect(verify("sha256", message, createPublicKey(privateKey), await signer.signFile(message))).toBe(true);
    expect(signer.shortId).toBe(own.shortId);
  });
});

suite("an operator's key that changed settings give", () => {
  test("signs files from then on, and one that can't be used changes nothing", async () => {
    const { services, company } = await testProvider();
    const { id } = await company();
    const give = async (SEAL_KEY: string) =>
      changeOperatorKey(services, { SEAL_SECRET: ["the secret of the seal keys of these tests"], SEAL_KEY }, undefined);
    for (let n = 0; n < 2; n++) {
      const { pem, chain } = operatorPem();
      await give(pem);
      await expect(give("nothing")).rejects.toThrow("there is no private key in it");
      expect((await companySigner(services, id)).chain).toEqual(chain);
    }
  });
});

suite("an operator's certificate that expires while the server runs", () => {
  const privateKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const at = new Date("2026-11-21T10:00:00Z");
  const chain = [rootCertificate({ name: { commonName: "x", organization: "x" }, key: privateKey, at })];
  const operatorKey = { chain, signFile: async (bytes: Uint8Array) => sign("sha256", bytes, privateKey) };
  const withKey = async () => {
    const warnings: unknown[] = [];
    const log = { info: () => {}, error: () => {}, warn: (...parameters: unknown[]) => void warnings.push(parameters) };
    const provider = await testProvider({ log });
    const { id } = await provider.company();
    const services = { ...provider.services, seals: { ...provider.services.seals, operatorKey } };
    return { ...provider, services, id, warnings };
  };

  test("signs no more files, but codes, whose keys are the company's", async () => {
    const { services, id, clock } = await withKey();
    const signer = await companySigner(services, id);
    expect(verify("sha256", message, createPublicKey(privateKey), await signer.signFile(message))).toBe(true);
    clock.now = new Date("2056-11-22T10:00:00Z");
    await expect(signer.signFile(message)).rejects.toThrow("the certificate of x expired on 2056-11-2");
    expect(await signer.signCode(message)).toHaveLength(64);
  });

  test("is announced in the log a month before", async () => {
    const { services, clock, warnings } = await withKey();
    warnBeforeExpiry(services);
    expect(warnings).toEqual([]);
    clock.now = new Date("2056-11-01T10:00:00Z");
    warnBeforeExpiry(services);
    expect(warnings).toEqual([[{ days: expect.any(Number) }, "the operator's certificate expires soon"]]);
  });
});

suite("the secret of seal keys", () => {
  const [newer, older] = [secretKey("a newer secret of these tests"), secretKey("an older secret of these tests")];

  test("is rotated: keys of an earlier one are encrypted with the first at the next start", async () => {
    const provider = await testProvider({ seals: { wrappingKeys: [older] } });
    const { services, db, company } = provider;
    const { id } = await company();
    const before = await companySigner(services, id);
    expect(await rewrapKeys(db, [newer, older])).toEqual({ locked: 0 });
    for (const { private_key } of [...(await rows(provider)), ...(await rows(provider, "seal_roots"))]) {
      expect(wrappedBy(private_key!)).toBe(newer.id);
    }
    const after = await companySigner({ ...services, seals: { wrappingKeys: [newer] } }, id);
    expect(after.chain).toEqual(before.chain);
  });

  test("is reported if it is lost, and the keys stay published", async () => {
    const provider = await testProvider({ seals: { wrappingKeys: [older] } });
    const { services, db, company } = provider;
    const { id } = await company();
    const { shortId } = await companySigner(services, id);
    expect(await rewrapKeys(db, [newer])).toEqual({ locked: 2 });
    const servicesWithoutKey = { ...services, seals: { wrappingKeys: [newer] } };
    await expect(companySigner(servicesWithoutKey, id)).rejects.toThrow(
      "The seal keys are encrypted with another SEAL_SECRET",
    );
    const { json } = await provider.call("publishedSealKeys");
    expect(json.keys).toHaveLength(1);
    expect(Buffer.from(json.keys[0].kid, "base64url").toString("hex", 0, 4)).toBe(shortId);
  });

  test("does not decrypt a key that was put into another row", async () => {
    const provider = await testProvider();
    const [one, other] = [await provider.company(), await provider.company()];
    await companySigner(provider.services, one.id);
    await companySigner(provider.services, other.id);
    const [first] = await rows(provider);
    const change = provider.db.updateTable("seal_keys").where("company_id", "=", other.id);
    await change.set({ private_key: first!.private_key }).execute();
    await expect(companySigner(provider.services, other.id)).rejects.toThrow("encrypted with another SEAL_SECRET");
  });
});
