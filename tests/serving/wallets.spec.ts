import { foreignVerifiers } from "../fixtures/foreign-verifiers.ts";
import { foreignWallets, offerIn } from "../support/foreign-wallets.ts";
import { expect, test } from "../support/serving.ts";
import { issued } from "../support/visitor.ts";

/** Documents in wallets, by libraries of others over HTTP. */

// Of its own, as wallets are turned on for the company.
test.use({ serverEnv: {} });

const wellKnown = (address: string, name: string) => {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname}`;
};

for (const [library, fetchCredential] of Object.entries(foreignWallets)) {
  test(`a wallet by ${library} fetches an offered document, and others’ verifiers accept it`, async ({
    client,
    server,
  }) => {
    const fields = ["code", "branch"].map((field) => ["fields", field]);
    await client.post("/settings/wallet", new URLSearchParams([["active", "1"], ...fields]));
    const { path, number, code } = await issued(server.url);
    const page = await (await client.post(`${path}/wallet`, {})).text();
    const offer = offerIn(page);
    const credential = await fetchCredential(offer);
    await expect(fetchCredential(offer), "the offer works once").rejects.toThrow();
    const verifiers = foreignVerifiers({
      fetchKeys: async (issuer) => (await (await fetch(wellKnown(issuer, "jwt-vc-issuer"))).json()).jwks.keys,
      async fetchList(uri) {
        const reply = await fetch(uri, { headers: { accept: "application/statuslist+jwt" } });
        expect(reply.headers.get("content-type")).toBe("application/statuslist+jwt");
        expect(reply.headers.get("cache-control"), "no cache holds back a withdrawal").toBe("public, no-cache");
        return reply.text();
      },
      now: () => new Date(),
      readsType: true,
    });
    for (const verify of Object.values(verifiers)) expect(await verify(credential)).toMatchObject({ number, code });
    await client.post(path, { intent: "exit", reason: "1" });
    for (const verify of Object.values(verifiers)) await expect(verify(credential)).rejects.toThrow();
  });
}
