import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { calls } from "../contract/calls.ts";
import { newCode } from "../documents/codes.ts";

/** Checking codes from other sites and programs (docs/api.md). */

const suite = describe.runIf(hasDatabase());

const mistyped = "2345-6789-ABCD-EFGH-00";

async function withDocument(limits = {}) {
  const provider = await testProvider({}, limits);
  const { admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token);
  const verify = (code: string, headers = {}) => provider.call("verify", { params: { code }, headers });
  return { ...provider, admin, document, verify };
}

suite("GET /verify/{code} from another site", () => {
  test("may be read by its pages, even if it is refused", async () => {
    const { call, admin, document, verify } = await withDocument();
    const replies = [await verify(document.code), await verify(newCode()), await verify(mistyped)];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 422]);
    expect(replies.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual(["*", "*", "*"]);
    expect(replies[0]!.headers.get("access-control-expose-headers")).toContain("RateLimit");
    const { headers } = await call("getDocument", { token: admin.token, params: { id: document.id } });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  test("is, beside those of wallets, the only call that they may make, and no cookie makes another answer", () => {
    const open = Object.entries(calls).filter(([, call]) => "isCrossOrigin" in call);
    const ofWallets = ["redeemWalletOffer", "createWalletNonce", "issueCredential"];
    expect(open.map(([name]) => name)).toEqual(expect.arrayContaining(["verify", ...ofWallets]));
    expect(open.map(([, { access }]) => access)).toEqual(["public", "public", "public", "public"]);
  });

  test("may be asked about first, and other calls not", async () => {
    const { provider, document } = await withDocument();
    const ask = (path: string) =>
      provider.fetch(new Request(`http://provider/api${path}`, { method: "OPTIONS" }), { clientAddress: "192.0.2.1" });
    const { status, headers } = await ask(`/verify/${document.code}`);
    expect([status, headers.get("access-control-allow-methods")]).toEqual([204, "GET"]);
    expect(headers.has("access-control-allow-credentials")).toBe(false);
    const other = await ask("/documents");
    expect([other.status, other.headers.has("access-control-allow-origin")]).toEqual([404, false]);
  });

  test("is revalidated each time, with a 304 while nothing changed", async () => {
    const { call, admin, document, verify } = await withDocument();
    const first = await verify(document.code);
    expect(first.headers.get("cache-control")).toBe("public, no-cache");
    const etag = first.headers.get("etag")!;
    const second = await verify(document.code, { "if-none-match": etag });
    expect([second.status, second.bytes.length]).toEqual([304, 0]);
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: { note: "" } });
    const third = await verify(document.code, { "if-none-match": etag });
    expect([third.status, third.json.verdict]).toEqual([200, "withdrawn"]);
  });

  test("may be cached for a day if the code is mistyped, and not if it may be issued later", async () => {
    const { verify } = await withDocument();
    const refused = await verify(mistyped);
    expect([refused.status, refused.headers.get("cache-control")]).toEqual([422, "public, max-age=86400"]);
    const unissued = await verify(newCode());
    expect([unissued.status, unissued.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  test("states the rest of the limit with each reply, and then when to try again", async () => {
    const points = (name: string, usual: number) => (name === "verify_address" ? 2 : usual);
    const { document, verify } = await withDocument({ points });
    const summaryOf = ({ status, headers }: Awaited<ReturnType<typeof verify>>) => [
      status,
      headers.get("ratelimit-policy"),
      headers.get("ratelimit")?.replace(/\d+$/, "…"),
    ];
    const policy = '"verify_address";q=2;w=600';
    expect(summaryOf(await verify(document.code))).toEqual([200, policy, '"verify_address";r=1;t=…']);
    expect(summaryOf(await verify(mistyped))).toEqual([422, policy, '"verify_address";r=0;t=…']);
    const refused = await verify(document.code);
    expect(summaryOf(refused)).toEqual([429, policy, '"verify_address";r=0;t=…']);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});
