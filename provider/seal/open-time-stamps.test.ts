import { once } from "node:events";
import { createServer, request as requestHttp, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { startTimeStampChain } from "#tests/fixtures/time-stamp-chain.ts";
import { hasOpenssl, openTimeStampAuthority, startTimeStampService } from "#tests/fixtures/time-stamp-service.ts";
import { openTimeStamps } from "./open-time-stamps.ts";

const suite = describe.runIf(hasDatabase() && hasOpenssl);

let authority: Awaited<ReturnType<typeof startTimeStampChain>>;
beforeAll(async () => {
  if (hasOpenssl) authority = await startTimeStampChain();
}, 60_000);
afterAll(() => authority?.close());

const postTo = async (url: string, body: Buffer) =>
  Buffer.from(await (await fetch(url, { method: "POST", body: new Uint8Array(body) })).arrayBuffer());

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** A company whose document is sealed with stamps of a service, and what was logged. */
async function sealedBy(...urls: string[]) {
  const logged: [message: string, event: object][] = [];
  const log = {
    info: () => {},
    warn: (event: object, message: string) => void logged.push([message, event]),
    error: () => {},
  };
  const provider = await testProvider(openTimeStamps(urls, log, () => new Date()));
  provider.clock.now = new Date();
  const { admin } = await provider.company();
  const { json } = await provider.issue(admin.token, {}, [asFile(await pdfFile(0), "lease.pdf")]);
  const { bytes } = await provider.call("getSealedPdf", { token: admin.token, params: { id: json.id } });
  const [row] = await provider.db.selectFrom("sealed_files").select("timestamped").execute();
  const text = Buffer.from(bytes).toString("latin1");
  const count = (name: string) =>
    /^\/\w+ \[ ?([^\]]*)\]/.exec(text.slice(text.lastIndexOf(`/${name} [`)))?.[1]!.match(/R/g)!.length;
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
    expect(sealed.logged).toEqual([["sealing without long-term evidence", { missing: ["the issuer of CN=tsa"] }]]);
    expect(authority.requests.slice(before), `none to ${host} beside stamps`).toEqual(["", ""]);
  });

  test("is led to no other port of the service's machine", async () => {
    // The same service at another port: its stamps name addresses of the first.
    const proxy = createServer((request, response) => {
      const forwarded = requestHttp(authority.url, { method: "POST", headers: request.headers }, (reply) =>
        reply.pipe(response),
      );
      request.pipe(forwarded);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const before = authority.requests.length;
    const sealed = await sealedBy(urlOf(proxy));
    expect(sealed.logged).toEqual([["sealing without long-term evidence", { missing: ["the issuer of CN=tsa"] }]]);
    expect(authority.requests.slice(before)).toEqual(["", ""]);
    proxy.close();
  });

  test("is sealed without evidence if a service's certificate changes meanwhile, which is logged", async () => {
    const other = openTimeStampAuthority();
    const replies = [(request: Buffer) => postTo(authority.url, request), (request: Buffer) => other.reply(request)];
    const service = await startTimeStampService(async (request, response) =>
      response.end(await (replies.length > 1 ? replies.shift()! : replies[0]!)(request)),
    );
    const sealed = await sealedBy(service.url);
    expect(sealed.timestamped).toBe(1);
    expect(sealed.logged.at(-1)).toEqual([
      "sealing without long-term evidence",
      { missing: ["evidence for the certificate of the time stamp, which is new"] },
    ]);
    await service.close();
    other.close();
  });

  test("is sealed without one if all services fail, which is logged", async () => {
    const failing = createServer((_, response) => response.writeHead(500).end());
    await once(failing.listen(0, "127.0.0.1"), "listening");
    const sealed = await sealedBy(urlOf(failing), `${urlOf(failing)}second`);
    expect(sealed.timestamped).toBe(0);
    const events = sealed.logged.map(([message]) => message);
    expect(events).toEqual(["time-stamp service failed", "time-stamp service failed", "sealed without a time stamp"]);
    failing.close();
  });
});
