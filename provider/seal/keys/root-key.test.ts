import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { exportRoot, removeRootKey, returnRootKey } from "./root-key.ts";
import { retireRoot } from "./revocation-lists.ts";
import { companySigner } from "./signer.ts";
import { activeRoot, retireLostKeys } from "./stored-keys.ts";

const suite = describe.runIf(hasDatabase());
const passphrase = "nine brass buttons";

/** A company with a key, and the root's key exported. */
async function exported() {
  const errors: string[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (...parameters: unknown[]) => void errors.push(JSON.stringify(parameters)),
  };
  const provider = await testProvider({ log });
  const { services, db } = provider;
  const { id, admin } = await provider.company();
  await companySigner(services, id);
  const file = { pem: await exportRoot(services, passphrase), passphrase };
  const roots = () => db.selectFrom("seal_roots").selectAll().orderBy("id").execute();
  return { ...provider, id, admin, errors, file, roots };
}

/** The same, and the root's key removed. */
async function removed() {
  const provider = await exported();
  await removeRootKey(provider.services, provider.file);
  return provider;
}

suite("without its private key on the server, the root", () => {
  test("stays the one that signs, and is not needed by a company that has a key", async () => {
    const { services, id, roots, company, call } = await removed();
    expect(await roots()).toMatchObject([{ private_key: null, retired_at: null, key_removed_at: expect.any(String) }]);
    expect((await companySigner(services, id)).chain).toHaveLength(2);
    const { id: another } = await company();
    await expect(companySigner(services, another)).rejects.toThrow("return it with: seal-keys return-root FILE");
    expect(await roots()).toHaveLength(1);
    expect((await call("publishedSealKeys")).json.keys).toHaveLength(1);
  });

  test("lets no administrator rotate, says whom to ask, and leaves the company's key in use", async () => {
    const { call, admin, errors } = await removed();
    const { status, json } = await call("rotateSealKey", { token: admin.token });
    expect([status, json.message]).toEqual([503, expect.stringMatching(/^New keys can’t be made now: ask the person/)]);
    expect((await call("listSealKeys", { token: admin.token })).json).toMatchObject([{ state: "active" }]);
    expect(errors.join()).toContain("the root's private key is needed");
  });

  test("does not stop a revocation", async () => {
    const { call, admin } = await removed();
    const [{ id }] = (await call("listSealKeys", { token: admin.token })).json;
    const body = { revoked_reason: "compromised" };
    expect((await call("revokeSealKey", { token: admin.token, params: { id }, body })).status).toBe(200);
    expect((await call("publishedSealKeys")).json.keys).toMatchObject([{ revoked_reason: "compromised" }]);
  });

  test("stops no issue: a company without a key waits for its seals, and others don't wait for it", async () => {
    const { company, admin, issue, db, run, call, services, file, errors } = await removed();
    const { admin: another } = await company();
    const pages = async () => [asFile(await pdfFile(0), "lease.pdf")];
    await issue(admin.token, { number: "NM-1" }, await pages());
    for (const number of ["NM-2", "NM-3"]) await issue(another.token, { number }, await pages());
    await issue(admin.token, { number: "NM-4" }, await pages());
    await run("seals");
    const queued = () => db.selectFrom("documents_to_seal").select("document_id").orderBy("document_id").execute();
    const [first, second, ...more] = await queued();
    expect(more).toEqual([]);
    expect(await db.selectFrom("sealed_files").select("document_id").execute()).toHaveLength(2);
    expect(errors, "said once in a run").toHaveLength(1);
    const input = { token: another.token, params: { id: first!.document_id } };
    expect((await call("getSealedPdf", input)).status).toBe(503);
    expect((await call("getQrCode", input)).status).toBe(200);

    await returnRootKey(services, file);
    await run("seals");
    expect([await queued(), second]).toEqual([[], expect.anything()]);
    expect((await call("getSealedPdf", input)).status).toBe(200);
  });
});

suite("an exported root", () => {
  test("signs again once it is returned, under the secret of now", async () => {
    const { services, roots, company, file } = await removed();
    const [before] = await roots();
    const seals = { wrappingKeys: [secretKey("a newer secret of these tests")] };
    await returnRootKey({ ...services, seals }, file);
    expect(await roots()).toMatchObject([{ certificate: before!.certificate, key_removed_at: null }]);
    const signer = await companySigner({ ...services, seals }, (await company()).id);
    const [leaf, root] = signer.chain.map((der) => new X509Certificate(der));
    expect(leaf!.verify(root!.publicKey)).toBe(true);
    expect(root!.raw.toString("base64")).toBe(before!.certificate);
  });

  test("is removed only with a file that has its key, and its passphrase", async () => {
    const { services, file, roots } = await exported();
    const other = await exported();
    for (const [wrong, reason] of [
      [{ ...file, passphrase: "ten brass buttons" }, "The passphrase does not decrypt"],
      [{ ...file, pem: file.pem.slice(file.pem.indexOf("-----BEGIN CERT")) }, "no encrypted private key"],
      [other.file, "another key than the root with the fingerprint "],
    ] as const) {
      await expect(removeRootKey(services, wrong)).rejects.toThrow(reason);
      await expect(returnRootKey(services, wrong)).rejects.toThrow(reason);
    }
    expect(await roots()).toMatchObject([{ private_key: expect.any(String), key_removed_at: null }]);
    await removeRootKey(services, file);
    await expect(removeRootKey(services, file)).rejects.toThrow("it was removed before");
    await expect(exportRoot(services, passphrase)).rejects.toThrow("which was removed from this server");
  });

  test("that was lost in a restore is returned as long as it has no successor", async () => {
    const { services, db, roots, file, company } = await exported();
    await db.updateTable("seal_roots").set({ private_key: null }).execute();
    expect(await retireLostKeys(db, new Date())).toMatchObject({ isRootLost: true, isRootRemoved: false });
    await returnRootKey(services, file);
    expect(await roots()).toMatchObject([{ retired_at: null, private_key: expect.any(String) }]);
    await companySigner(services, (await company()).id);

    await retireRoot(services);
    await activeRoot(services);
    await expect(returnRootKey(services, file)).rejects.toThrow("another key than the root");
  });

  test("that is away is not taken for lost by a restore", async () => {
    const { db, roots } = await removed();
    await db.updateTable("seal_keys").set({ private_key: null }).execute();
    expect(await retireLostKeys(db, new Date())).toEqual({ isRootLost: false, areKeysLost: true, isRootRemoved: true });
    expect(await roots()).toMatchObject([{ retired_at: null }]);
  });
});
