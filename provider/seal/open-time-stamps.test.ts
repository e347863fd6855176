import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { startTimeStampChain } from "#tests/fixtures/time-stamp-chain.ts";
import { hasOpenssl } from "#tests/fixtures/time-stamp-service.ts";
import { openTimeStamps } from "./open-time-stamps.ts";

const suite = describe.runIf(hasDatabase() && hasOpenssl);

let authority: Awaited<ReturnType<typeof startTimeStampChain>>;
beforeAll(async () => {
  if (hasOpenssl) authority = await startTimeStampChain();
}, 60_000);
afterAll(() => authority?.close());

/** A company whose document is sealed with stamps of a service, and what was logged. */
async function sealedBy(url: string) {
  const logged: object[] = [];
  const log = { info: () => {}, warn: (event: object) => void logged.push(event), error: () => {} };
  const provider = await testProvider(openTimeStamps([url], log, () => new Date()));
  provider.clock.now = new Date();
  const { admin } = await provider.company();
  const { json } = await provider.issue(admin.token, {}, [asFile(await pdfFile(0), "lease.pdf")]);
  const { bytes } = await provider.call("getSealedPdf", { token: admin.token, params: { id: json.id } });
  const [row] = await provider.db.selectFrom("sealed_files").select("timestamped").execute();
  const text = Buffer.from(bytes).toString("latin1");
  const count = (name: string) =>
    /\[ ?([^\]]*)\]/.exec(text.slice(text.lastIndexOf(`/${name} [`)))![1]!.match(/R/g)!.length;
  return { timestamped: row!.timestamped, lists: count("CRLs"), certificates: count("Certs"), logged };
}

suite("a document that is sealed while time stamps are set", () => {
  test("has the revocation lists of the company's root and of the service in its PDF", async () => {
    expect(await sealedBy(authority.url)).toEqual({ timestamped: 1, lists: 3, certificates: 5, logged: [] });
  });

  test("is led by stamps to no other address of the network than the service's", async () => {
    const { host } = new URL(authority.url);
    const before = authority.requests.length;
    const sealed = await sealedBy(authority.url.replace("127.0.0.1", "localhost"));
    expect(sealed).toMatchObject({ timestamped: 1, lists: 1, certificates: 3 });
    expect(sealed.logged).toEqual([{ missing: ["the issuer of CN=tsa"] }]);
    expect(authority.requests.slice(before), `none to ${host} beside stamps`).toEqual(["", ""]);
  });
});
