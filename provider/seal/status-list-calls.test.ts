import { createHash } from "node:crypto";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { importJWK, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { withScans } from "#tests/fixtures/scans.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { entry, entryIn, entryInput, type PublishedKey, readStatusList } from "#lib/seal/status-list.ts";
import { signCode } from "#lib/seal/signed-code.ts";
import { companySigner } from "./keys/signer.ts";

const suite = describe.runIf(hasDatabase());

/** A company with a document, a key and a list. */
async function setting(...options: Parameters<typeof withScans>) {
  const provider = await withScans(...options);
  const { call, companyId, services } = provider;
  const make = () => provider.run("status lists");
  const keys = async () => (await call("publishedSealKeys")).json.keys as PublishedKey[];
  const tokens = async () => {
    const { status_lists } = (await call("publishedStatusLists")).json as { status_lists: string[] };
    const lists = status_lists.map((address) => ({ list: address.split("/").at(-1)! }));
    const replies = await Promise.all(lists.map((params) => call("publishedStatusList", { params })));
    return replies.map(({ json }) => json.token as string);
  };
  const read = async () => (await readStatusList((await tokens())[0]!, await keys()))!;
  /** What the company's list says of a code. */
  const entryOf = async (code: unknown) => {
    const list = await read();
    return entryIn(
      list,
      createHash("sha256")
        .update(entryInput(list.salt, code as string))
        .digest(),
    );
  };
  await companySigner(services, companyId);
  await make();
  return { ...provider, make, keys, tokens, read, entryOf };
}

suite("GET /seals/status-lists/{list}", () => {
  test("has each code at the index that the check of its signature returns, for clients that know only the standard", async () => {
    const { call, admin, document, services, companyId, tokens, make, advanceMinutes } = await setting();
    const { shortId, signCode: by } = await companySigner(services, companyId);
    const statement = { number: "NM-1", type: 1, date: 1, lastDay: null, digest: null, pages: 1, copy: 1, of: 1 };
    const address = `${services.publicUrl}/v/${String(document.code)}`;
    const digits = await signCode(address, { shortId, statement: { ...statement, revision: 1 } }, by);
    const reference = async () => {
      const params = { code: String(document.code) };
      const { status } = (await call("checkSignature", { params, body: { digits } })).json;
      return status.status_list as { idx: number; uri: string };
    };
    const { idx, uri } = await reference();
    const statusOf = async () => getListFromStatusListJWT((await tokens())[0]!).getStatus(idx);
    expect(await statusOf()).toBe(0);
    await call("exitDocument", { token: admin.token, params: { id: document.id as number }, body: {} });
    await advanceMinutes(11);
    await make();
    expect(await statusOf()).toBe(1);
    expect(await reference()).toEqual({ idx, uri });
    expect(uri).toBe((await call("publishedStatusLists")).json.status_lists[0]);
  });

  test("states the status of each document: withdrawn, archived and expired ones", async () => {
    const { call, admin, issue, make, entryOf, advanceMinutes, document } = await setting();
    const { json: withdrawn } = await issue(admin.token);
    const { json: archived } = await issue(admin.token);
    const act = async (name: "exitDocument" | "archiveDocument", { id }: { id: number }) =>
      call(name, { token: admin.token, params: { id }, body: {} });
    expect((await act("exitDocument", withdrawn as { id: number })).status).toBeLessThan(300);
    expect((await act("archiveDocument", archived as { id: number })).status).toBeLessThan(300);
    await advanceMinutes(11);
    await make();
    expect(await entryOf(document.code)).toBe(entry.inForce);
    expect(await entryOf(withdrawn.code)).toBe(entry.ended);
    // Archiving only files away.
    expect(await entryOf(archived.code)).toBe(entry.inForce);
    await advanceMinutes(40 * 24 * 60);
    await make();
    expect(await entryOf(document.code)).toBe(entry.ended);
  });

  test("says so of each copy, until a lost one is found again", async () => {
    const { call, admin, document, make, entryOf, advanceMinutes } = await setting({ copies: "3" });
    const params = { id: document.id as number };
    const { json: copies } = await call("listCopies", { token: admin.token, params });
    const codes = (copies as unknown as { code: string }[]).map(({ code }) => code);
    await call("withdrawCopy", { token: admin.token, params: { ...params, n: 2 }, body: { reason: "lost" } });
    await advanceMinutes(11);
    await make();
    const saidOfAll = () => Promise.all(codes.map(entryOf));
    expect(await saidOfAll()).toEqual([entry.inForce, entry.ended, entry.inForce]);
    await call("restoreCopy", { token: admin.token, params: { ...params, n: 2 } });
    await advanceMinutes(11);
    await make();
    expect(await saidOfAll()).toEqual([entry.inForce, entry.inForce, entry.inForce]);
  });

  test("is made again ten minutes after a change, and else after six hours, with the same salt", async () => {
    const { call, admin, document, make, read, advanceMinutes } = await setting();
    const first = await read();
    await advanceMinutes(60);
    await make();
    expect((await read()).madeAt).toBe(first.madeAt);
    await call("exitDocument", { token: admin.token, params: { id: document.id as number }, body: {} });
    await make();
    const second = await read();
    expect([second.madeAt, second.expiresAt - second.madeAt]).toEqual([first.madeAt + 3600, 2 * 24 * 3600]);
    expect(second.salt).toEqual(first.salt);
    await advanceMinutes(359);
    await make();
    expect((await read()).madeAt).toBe(second.madeAt);
    await advanceMinutes(2);
    await make();
    expect((await read()).madeAt).toBeGreaterThan(second.madeAt);
  });

  test("is made again when the company’s day has changed", async () => {
    const { make, entryOf, document, advanceMinutes, clock } = await setting();
    // Its last day.
    await advanceMinutes((Date.parse("2026-12-12T23:50:00Z") - clock.now.getTime()) / 60_000);
    await make();
    expect(await entryOf(document.code)).toBe(entry.askOnline);
    await advanceMinutes(15);
    await make();
    expect(await entryOf(document.code)).toBe(entry.ended);
  });

  test("is made again when the clock was set back", async () => {
    const { make, read, advanceMinutes } = await setting();
    const { madeAt } = await read();
    await advanceMinutes(-30);
    await make();
    expect((await read()).madeAt).toBe(madeAt - 1800);
  });

  test("is made again after an entry by a machine whose clock is behind, and not for a new branch", async () => {
    const { call, admin, issue, make, read, entryOf, document, advanceMinutes } = await setting();
    await issue(admin.token);
    await advanceMinutes(11);
    await make();
    const first = await read();
    const branch = { name: "Leeds", country: "United Kingdom", city: "Leeds" };
    expect((await call("createBranch", { token: admin.token, body: branch })).status).toBe(201);
    await advanceMinutes(20);
    await make();
    expect((await read()).madeAt).toBe(first.madeAt);
    await advanceMinutes(-40);
    const params = { id: document.id as number };
    expect((await call("exitDocument", { token: admin.token, params, body: {} })).status).toBe(200);
    await advanceMinutes(60);
    await make();
    expect(await entryOf(document.code)).toBe(entry.ended);
  });

  test("is published if the company’s key was retired, with a new one", async () => {
    const { db, make, read, keys } = await setting();
    await db.updateTable("seal_keys").set({ retired_at: "2026-11-21T10:00:00Z", private_key: null }).execute();
    await db.deleteFrom("status_lists").execute();
    await make();
    expect((await read()).kid).toBe((await keys())[1]!.kid);
  });

  test("is made again at once if the key that signed it was revoked", async () => {
    const { call, admin, make, read } = await setting();
    const first = await read();
    const [{ id }] = (await call("listSealKeys", { token: admin.token })).json;
    const body = { revoked_reason: "compromised" };
    await call("revokeSealKey", { token: admin.token, params: { id }, body });
    await make();
    expect((await read()).kid).not.toBe(first.kid);
  });

  test("keeps its address when the key is replaced, and is signed with the new one", async () => {
    const { call, admin, run, make, read, keys, advanceMinutes } = await setting();
    const first = await read();
    await call("rotateSealKey", { token: admin.token });
    // The new key is published for a day before it is used.
    await advanceMinutes(24 * 60);
    await run("seal keys");
    await make();
    const second = await read();
    expect(second.address).toBe(first.address);
    expect(second.kid).not.toBe(first.kid);
    expect((await keys()).map(({ status_list }) => status_list)).toEqual([first.address, first.address]);
  });

  test("is verified by a library that is not ours, with the published key", async () => {
    const { tokens, keys } = await setting();
    const [key] = await keys();
    const { payload, protectedHeader } = await jwtVerify((await tokens())[0]!, await importJWK({ ...key }, "ES256"), {
      typ: "statuslist+jwt",
      subject: key!.status_list!,
      currentDate: new Date("2026-11-21T10:00:00Z"),
    });
    expect(protectedHeader.kid).toBe(key!.kid);
    expect(payload.status_list).toMatchObject({ bits: 2 });
  });
});

suite("GET /seals/status-lists", () => {
  test("has one address for each company that has a key", async () => {
    const { company, services, make, tokens, keys, call } = await setting();
    const other = await company();
    await make();
    expect(await tokens()).toHaveLength(1);
    await companySigner(services, other.id);
    await make();
    const lists = await Promise.all((await tokens()).map(async (token) => readStatusList(token, await keys())));
    expect(new Set(lists.map((list) => list!.address)).size).toBe(2);
    expect((await call("publishedStatusList", { params: { list: "none" } })).status).toBe(404);
  });

  test("has none at an address that no list can have", async () => {
    const { call } = await setting();
    for (const list of ["\0", "../x", "x".repeat(101)])
      expect((await call("publishedStatusList", { params: { list } })).status).toBe(404);
  });

  test("has none of a company that is not active, whose codes count as not issued", async () => {
    const { db, make, tokens, keys, call } = await setting();
    const list = (await keys())[0]!.status_list!.split("/").at(-1)!;
    expect((await call("publishedStatusList", { params: { list } })).status).toBe(200);
    await db.updateTable("companies").set({ active: 0 }).execute();
    expect(await tokens()).toEqual([]);
    expect((await call("publishedStatusList", { params: { list } })).status).toBe(404);
    await db.deleteFrom("status_lists").execute();
    await make();
    expect(await db.selectFrom("status_lists").selectAll().execute()).toEqual([]);
  });

  test("has the others’ if the key of one can’t be decrypted, which is logged once", async () => {
    const logged: object[] = [];
    const error = (event: object) => void logged.push(event);
    const log = { info: () => {}, warn: () => {}, error };
    const { company, services, companyId, db, make, tokens } = await setting({}, { log });
    const other = await company();
    await companySigner(services, other.id);
    await db.deleteFrom("status_lists").execute();
    const key = db.updateTable("seal_keys").where("company_id", "=", companyId);
    await key.set({ private_key: "not decrypted by any secret" }).execute();
    await make();
    expect(await tokens()).toHaveLength(1);
    expect(logged).toMatchObject([{ companies: [companyId] }]);
  });
});
