import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { keyIdentifier } from "#lib/seal/certificates.ts";
import { headOf, isListOf, listAddresses } from "#lib/seal/revocation-list.ts";
import { daysInMs } from "#lib/units.ts";
import { faultsOfLists, makeList, retireRoot, warnOfLists } from "./revocation-lists.ts";
import { exportRoot, removeRootKey, signRevocationList } from "./root-key.ts";
import { companySigner } from "./signer.ts";
import { currentRoot } from "./stored-keys.ts";

const suite = describe.runIf(hasDatabase());
const passphrase = "nine brass buttons";

/** A company with a key, and the list of its root, as its certificate names it. */
async function fixture() {
  const provider = await testProvider();
  const { services, call, clock } = provider;
  const { id, admin } = await provider.company("Hallam Surveyors");
  const signer = () => companySigner(services, id);
  const { chain } = await signer();
  const [leaf, root] = chain.map((der) => new X509Certificate(der)) as [X509Certificate, X509Certificate];
  const address = listAddresses(leaf)[0]!;
  const fetchList = () => call("publishedRevocationList", { params: { list: address.split("/").at(-1)! } });
  const list = async () => Buffer.from((await fetchList()).json.list as string, "base64");
  const revoke = async () => {
    const [key] = (await call("listSealKeys", { token: admin.token })).json;
    const body = { revoked_reason: "compromised" };
    expect((await call("revokeSealKey", { token: admin.token, params: { id: key.id }, body })).status).toBe(200);
  };
  const reachesReaders = async () =>
    (await call("listSealKeys", { token: admin.token })).json.map(
      (key: { reaches_readers: boolean }) => key.reaches_readers,
    );
  const advanceDays = (days: number) => void (clock.now = new Date(clock.now.getTime() + daysInMs(days)));
  const isGood = async () => isListOf(await list(), root, services.now());
  const faults = () => faultsOfLists(services);
  return {
    ...provider,
    id,
    admin,
    leaf,
    root,
    address,
    fetchList,
    list,
    revoke,
    reachesReaders,
    advanceDays,
    isGood,
    faults,
  };
}

suite("GET /seals/revocation-lists/{list}", () => {
  test("is where certificates say, signed by their root, and gets a key as soon as it is revoked", async () => {
    const { address, root, list, isGood, revoke, leaf } = await fixture();
    expect(address).toBe(
      `https://sealdesk.example/.well-known/revocation-lists/${keyIdentifier(root.publicKey).toString("hex")}`,
    );
    expect(await isGood()).toBe(true);
    expect(headOf(await list()).revoked).toBe(0);
    await revoke();
    expect(await isGood()).toBe(true);
    expect((await list()).includes(Buffer.from(leaf.serialNumber, "hex"))).toBe(true);
    expect(headOf(await list()).revoked).toBe(1);
  });

  test("is the same for a day, and is renewed long before it ends", async () => {
    const { list, advanceDays, isGood } = await fixture();
    const first = await list();
    advanceDays(0.9);
    expect(await list()).toEqual(first);
    advanceDays(0.2);
    const renewed = await Promise.all([1, 2, 3, 4, 5].map(list));
    expect(renewed[0]).not.toEqual(first);
    expect(new Set(renewed.map((bytes) => bytes.toString("hex"))).size, "one for all at once").toBe(1);
    advanceDays(100);
    expect(await isGood()).toBe(true);
  });

  test("has a key that was revoked by another machine whose clock is behind", async () => {
    const { list, db, clock } = await fixture();
    await list();
    const revoked_at = new Date(clock.now.getTime() - 60_000).toISOString();
    await db.updateTable("seal_keys").set({ revoked_at, revoked_reason: "superseded" }).execute();
    expect(headOf(await list()).revoked).toBe(1);
  });

  test("is unknown for another root", async () => {
    const { call } = await fixture();
    const statusOf = async (list: string) => (await call("publishedRevocationList", { params: { list } })).status;
    expect([await statusOf("0".repeat(40)), await statusOf("root")]).toEqual([404, 404]);
  });
});

suite("while the root's private key is away", () => {
  test("its list is good for a year, and a revoked key waits for the operator, who is told", async () => {
    const { services, db, list, advanceDays, isGood, faults } = await fixture();
    const file = { pem: await exportRoot(services, passphrase), passphrase };
    await removeRootKey(services, file);
    advanceDays(300);
    expect([await isGood(), await faults()]).toEqual([true, []]);
    advanceDays(40);
    expect(await faults()).toEqual(["the revocation list is good for 26 days more"]);
    const logged: unknown[] = [];
    await db.updateTable("seal_keys").set({ revoked_at: "2027-10-27T10:00:00.000Z" }).execute();
    expect(headOf(await list()).revoked).toBe(0);
    const warn = (event: object) => void logged.push(event);
    await warnOfLists({ ...services, log: { ...services.log, warn } });
    expect(logged).toEqual([{ reason: "a revoked key is not in the revocation list" }]);
    await signRevocationList(services, file);
    expect([headOf(await list()).revoked, await isGood(), await faults()]).toEqual([1, true, []]);
  });

  test("no request that read the root before shortens the list", async () => {
    const { services, db, list, isGood, advanceDays } = await fixture();
    const file = { pem: await exportRoot(services, passphrase), passphrase };
    const before = (await currentRoot(db))!;
    await removeRootKey(services, file);
    expect(await makeList(services, before, { ms: daysInMs(7) })).toBeDefined();
    advanceDays(300);
    expect([await isGood(), headOf(await list()).revoked]).toEqual([true, 0]);
  });
});

suite("a root that retires", () => {
  test("leaves a list that is good for as long as its certificates", async () => {
    const { services, root, list, revoke, isGood, advanceDays } = await fixture();
    await revoke();
    await retireRoot(services);
    advanceDays(29 * 365);
    expect(await isGood()).toBe(true);
    expect(headOf(await list())).toMatchObject({ until: root.validToDate.getTime(), revoked: 1 });
  });

  test("and was not exported has no list with a key that is revoked later, which company and operator learn", async () => {
    const { services, root, list, revoke, reachesReaders, faults } = await fixture();
    expect(await reachesReaders()).toEqual([true]);
    await retireRoot(services);
    expect(await faults()).toEqual([]);
    expect(await reachesReaders(), "before it is revoked").toEqual([false]);
    await revoke();
    expect(await reachesReaders()).toEqual([false]);
    expect(headOf(await list()).revoked).toBe(0);
    expect(await faults()).toEqual([
      `a revoked key is not in the revocation list of the retired root ${root.fingerprint256}, whose key is deleted: only a file of export-root has it`,
    ]);
  });

  test.each([true, false])(
    "and was exported signs a list with a key that is revoked later by its file, good to its end (removed: %s)",
    async (isRemoved) => {
      const { services, root, list, revoke, reachesReaders, isGood, faults, advanceDays } = await fixture();
      const file = { pem: await exportRoot(services, passphrase), passphrase };
      if (isRemoved) await removeRootKey(services, file);
      await retireRoot(services);
      await companySigner(
        services,
        (await services.db.selectFrom("companies").select("id").executeTakeFirstOrThrow()).id,
      );
      await revoke();
      expect(await faults()).toEqual([
        expect.stringContaining("a revoked key is not in the revocation list of the retired root"),
      ]);
      expect((await reachesReaders()).at(-1)).toBe(false);
      expect(await signRevocationList(services, file)).toEqual(root.validToDate);
      expect((await reachesReaders()).at(-1)).toBe(true);
      advanceDays(400);
      expect([headOf(await list()).revoked, await isGood(), await faults()]).toEqual([1, true, []]);
    },
  );
});

suite("a company's certificate", () => {
  test("says what the profile says, with the key's thumbprint, and the page learns that it is outdated", async () => {
    const { call, admin, leaf, db, services, id } = await fixture();
    expect(leaf.subject).toBe("O=Hallam Surveyors\nCN=Hallam Surveyors");
    const isOutdated = async () =>
      (await call("listSealKeys", { token: admin.token })).json.map((key: { is_outdated: boolean }) => key.is_outdated);
    expect(await isOutdated()).toEqual([false]);
    const body = { name: "Hallam", country: "Vereinigtes Königreich", organization_id: "VATGB-123456789" };
    expect((await call("updateCompany", { token: admin.token, body })).status).toBe(200);
    expect(await isOutdated()).toEqual([true]);
    await db.updateTable("seal_keys").set({ retired_at: services.now().toISOString() }).execute();
    const { chain } = await companySigner(services, id);
    const certificate = new X509Certificate(chain[0]!);
    expect(certificate.subject).toBe("C=GB\nO=Hallam\norganizationIdentifier=VATGB-123456789\nCN=Hallam");
    expect(await isOutdated()).toEqual([false, true]);
    const key = (await call("publishedSealKeys")).json.keys.at(-1) as { kid: string; "x5t#S256": string };
    expect(chain[0]!.includes(Buffer.from(key.kid, "base64url"))).toBe(true);
    expect(Buffer.from(key["x5t#S256"], "base64url").toString("hex")).toBe(
      certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    );
  });

  test.each(["gb-1", "VAT-GB123", "VATGB-", "VATGB-1 2", "X".repeat(65)])(
    "is not to have an identifier like %s",
    async (organization_id) => {
      const { call, admin } = await fixture();
      const { status, json } = await call("updateCompany", {
        token: admin.token,
        body: { name: "A", organization_id },
      });
      expect([status, Object.keys(json.errors as object)]).toEqual([422, ["organization_id"]]);
    },
  );
});
