import type { JWK } from "jose";
import { describe, expect, test } from "vitest";
import { foreignVerifiers } from "#tests/fixtures/foreign-verifiers.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { alteredAt, payloadOf } from "#tests/fixtures/credentials.ts";
import { withWallet } from "#tests/fixtures/wallets.ts";
import { daysInSeconds, secondsInMs } from "#lib/units.ts";

const suite = describe.runIf(hasDatabase());

/** A company with wallets, and verifiers that keep its list as long as it says. */
async function withVerifiers(...args: Parameters<typeof withWallet>) {
  const wallet = await withWallet(...args);
  const { call, clock, metadata } = wallet;
  const nameIn = (address: string) => address.split("/").at(-1)!;
  const fetchList = async (uri: string) =>
    (await call("publishedStatusList", { params: { list: nameIn(uri) } })).json.token as string;
  const kept = new Map<string, { token: string; until: number }>();
  const surroundings = {
    fetchKeys: async (issuer: string) => (await metadata("jwt-vc-issuer", issuer)).jwks.keys as JWK[],
    async fetchList(uri: string) {
      const last = kept.get(uri);
      if (last && clock.now.getTime() < last.until) return last.token;
      const token = await fetchList(uri);
      kept.set(uri, { token, until: clock.now.getTime() + secondsInMs(payloadOf(token).ttl as number) });
      return token;
    },
    now: () => clock.now,
  };
  const later = (seconds: number) => (clock.now = new Date(clock.now.getTime() + secondsInMs(seconds)));
  return { ...wallet, fetchList, later, verifiers: foreignVerifiers(surroundings) };
}

const libraries = ["@sd-jwt/sd-jwt-vc", "@meeco/sd-jwt"] as const;

suite.each(libraries)("A verifier by %s", (library) => {
  test("reads what the holder shows, and nothing more", async () => {
    const { credential, document, verifiers } = await withVerifiers(["code", "branch"]);
    const verify = verifiers[library];
    const whole = await credential();
    const { code, number } = document;
    expect(await verify(whole)).toMatchObject({ code, number });
    const shown = await verify(`${whole.split("~")[0]}~`);
    expect(shown).toMatchObject({ number });
    for (const hidden of ["code", "branch"]) expect(shown).not.toHaveProperty(hidden);
  });

  test("accepts none of 200 altered credentials", { timeout: 60_000 }, async () => {
    const { credential, verifiers } = await withVerifiers(["branch", "code", "name", "custom_fields"], {
      points: () => 10_000,
    });
    const verify = verifiers[library];
    const whole = await credential();
    const claims = Object.entries(await verify(whole)).map((claim) => JSON.stringify(claim));
    // The last character of a signature has bits that say nothing.
    const jwtEnd = whole.indexOf("~") - 1;
    const accepted: unknown[] = [];
    for (let n = 0; n < 200; n++) {
      const at = Math.floor((n * (whole.length - 1)) / 200);
      const said = at === jwtEnd ? undefined : await verify(alteredAt(whole, at)).catch(() => undefined);
      // Both take an altered disclosure for one that the holder left out.
      const altered = Object.entries(said ?? {}).filter((claim) => !claims.includes(JSON.stringify(claim)));
      if (said && (at <= jwtEnd || altered.length > 0 || Object.keys(said).length >= claims.length)) {
        accepted.push({ at, said });
      }
    }
    expect(accepted).toEqual([]);
  });

  test("sees a withdrawal, and its end, within the ttl of the list that it keeps", async () => {
    const { call, admin, document, issue, credential, fetchList, later, verifiers } = await withVerifiers(["code"]);
    const verify = verifiers[library];
    const { json: second } = await issue(admin.token);
    const [held, other] = [await credential(), await credential(second.id as number)];
    const { ttl, sub } = payloadOf(await fetchList(payloadOf(held).status.status_list.uri as string));
    expect(sub).toBe(payloadOf(held).status.status_list.uri);
    const isAccepted = (text: string) => verify(text).then(Boolean, () => false);
    expect([await isAccepted(held), await isAccepted(other)]).toEqual([true, true]);
    // Just after it fetched the list that it keeps.
    later(1);
    const params = { id: document.id };
    await call("exitDocument", { token: admin.token, params, body: {} });
    later((ttl as number) - 1);
    expect([await isAccepted(held), await isAccepted(other)]).toEqual([false, true]);
    later(1);
    await call("reactivateDocument", { token: admin.token, params, body: {} });
    later(ttl as number);
    expect(await isAccepted(held)).toBe(true);
  });
});

suite("The status list of credentials", () => {
  test("is made again for a change of a document in a wallet alone, and for each new day", async () => {
    const { call, admin, document, issue, credential, fetchList, later } = await withVerifiers();
    const { json: second } = await issue(admin.token);
    const { uri } = payloadOf(await credential()).status.status_list as { uri: string };
    const madeAt = async () => payloadOf(await fetchList(uri)).iat as number;
    later(120);
    const first = await madeAt();
    later(120);
    await call("exitDocument", { token: admin.token, params: { id: second.id }, body: {} });
    expect(await madeAt()).toBe(first);
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    expect(await madeAt()).toBe(first + 120);
    later(daysInSeconds(1));
    expect(await madeAt()).toBe(first + 120 + daysInSeconds(1));
  });

  test("is made once after a change, whether strangers fetch it at once or one after the other", async () => {
    const { call, admin, document, credential, fetchList } = await withVerifiers();
    const { uri } = payloadOf(await credential()).status.status_list as { uri: string };
    const before = await fetchList(uri);
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    // Each signature is another one.
    const fetched = await Promise.all([1, 2, 3, 4, 5].map(() => fetchList(uri)));
    for (let n = 0; n < 5; n++) fetched.push(await fetchList(uri));
    expect(new Set([before, ...fetched]).size).toBe(2);
  });

  test("is the last one that was made while no new one can be", async () => {
    const { call, admin, document, credential, fetchList, services, later } = await withVerifiers();
    const { uri } = payloadOf(await credential()).status.status_list as { uri: string };
    const before = await fetchList(uri);
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    later(120);
    const { wrappingKeys } = services.seals;
    services.seals.wrappingKeys = [];
    const meanwhile = await fetchList(uri);
    services.seals.wrappingKeys = wrappingKeys;
    expect(meanwhile).toBe(before);
    expect(await fetchList(uri)).not.toBe(before);
  });

  test("has nothing of other companies, and none is made for one that never had wallets", async () => {
    const { company, db, companyId, credential, call, fetchList, verifiers } = await withVerifiers();
    await company();
    const held = await credential();
    await fetchList(payloadOf(held).status.status_list.uri as string);
    expect(await db.selectFrom("wallet_lists").select("company_id").execute()).toEqual([{ company_id: companyId }]);
    for (const verify of Object.values(verifiers)) expect(await verify(held)).toMatchObject({ number: "NM-7" });
    expect((await call("publishedStatusList", { params: { list: `${"a".repeat(43)}-wallet` } })).status).toBe(404);
  });
});
