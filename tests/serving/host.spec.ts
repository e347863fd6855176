import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { raw } from "../support/raw.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

/** Which host a request may name, and from which origin a form may come. */

const metricsToken = "5d1c9e70b2a4f386";
const publicUrl = "https://desk.sealdesk.example";

const form = "application/x-www-form-urlencoded";
const body = new URLSearchParams(signIn).toString();
const signInFrom = (server: TestServer, headers: Record<string, string>) =>
  raw(`${server.url}/login`, { method: "POST", headers: { "content-type": form, ...headers }, body });

test.describe("on a network, behind a proxy", () => {
  let server: TestServer;
  // As in a container: every network is listened on, and what the proxy passes on is all there is.
  test.beforeAll(async () => {
    const env = { PUBLIC_URL: publicUrl, HOST: "0.0.0.0", METRICS_TOKEN: metricsToken };
    server = await startServer({ from: sampleData, env });
  });
  test.afterAll(() => server.stop());

  const ask = (path: string, host: string, headers: Record<string, string> = {}) =>
    raw(server.url + path, { headers: { host, ...headers } });

  test("the public host is served", async () => {
    for (const host of ["desk.sealdesk.example", "DESK.sealdesk.example:443"]) {
      for (const path of ["/login", "/api/health", "/robots.txt"]) {
        expect((await ask(path, host)).status, `${host} ${path}`).toBe(200);
      }
    }
  });

  test("any other host is refused with a message, for pages and calls, and logged once", async () => {
    const hosts = [
      "evil.example",
      "10.0.0.5:3000",
      "localhost",
      `127.0.0.1:${server.port}`,
      "desk.sealdesk.example:80",
    ];
    for (const host of hosts) {
      for (const path of ["/login", "/login.data", "/v/1", "/nothing", "/assets/nothing.js"]) {
        const answer = await ask(path, host);
        expect(answer.status, `${host} ${path}`).toBe(421);
        expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(answer.headers["cache-control"]).toBe("no-store");
        expect(answer.body.toString()).toContain("This is not the address of Sealdesk.");
        expect(answer.body.toString()).not.toContain(host);
      }
      const call = await ask("/api/openapi.json", host);
      expect([call.status, JSON.parse(call.body.toString())]).toEqual([
        421,
        { message: expect.stringContaining("PUBLIC_URL") },
      ]);
    }
    const lines = server.errors().split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 40, msg: "requests for another host rejected", requests: 1 }),
    ]);
    // The log of requests names neither the host nor what it was asked for.
    expect(server.output()).toContain('"method":"GET","route":"(refused)","status":421');
    expect(server.output()).not.toContain("/nothing");
  });

  test("probes and metrics are served under any host", async () => {
    for (const host of ["10.0.0.5:3000", "evil.example", "["]) {
      expect((await ask("/healthz", host)).status).toBe(200);
      expect((await ask("/readyz?probe", host)).status).toBe(200);
      expect((await ask("/metrics", host)).status).toBe(401);
      const bearer = { authorization: `Bearer ${metricsToken}` };
      expect((await ask("/metrics", host, bearer)).status).toBe(200);
      for (const path of ["/healthz/x", "/healthzz", "/metrics.data", "/x/healthz", "//healthz", "/login?/healthz"]) {
        expect((await ask(path, host)).status, path).toBe(421);
      }
    }
  });

  test("a request without a Host, with two, or with another in its request line is refused", async () => {
    const send = async (head: string) => {
      const socket = connect(server.port, "127.0.0.1");
      let answer = "";
      let isOver = false;
      socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
      socket.on("close", () => (isOver = true));
      socket.write(`${head}\r\nConnection: close\r\n\r\n`);
      await until(() => isOver, "the connection's end");
      return Number(answer.split(" ")[1]);
    };
    const own = "Host: desk.sealdesk.example";
    expect(await send(`GET /login HTTP/1.1\r\n${own}`)).toBe(200);
    expect(await send(`GET /login HTTP/1.0`)).toBe(421);
    expect(await send(`GET /healthz HTTP/1.0`)).toBe(200);
    expect(await send(`GET /login HTTP/1.1\r\n${own}\r\nHost: evil.example`)).toBe(421);
    expect(await send(`GET /login HTTP/1.1\r\nHost: evil.example\r\n${own}`)).toBe(421);
    expect(await send(`GET http://evil.example/login HTTP/1.1\r\n${own}`)).toBe(421);
  });

  test("forms are accepted from the public origin only, scheme and port included", async () => {
    const host = "desk.sealdesk.example";
    expect((await signInFrom(server, { host, origin: publicUrl })).status).toBe(302);
    for (const origin of [
      "http://desk.sealdesk.example",
      "https://desk.sealdesk.example:8443",
      "https://sealdesk.example",
      "http://localhost",
      server.url,
      "null",
    ]) {
      expect((await signInFrom(server, { host, origin })).status, origin).toBe(403);
    }
    // Nor does what a proxy is said to have been asked for count.
    const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
    expect((await signInFrom(server, { host, origin: "http://evil.example", ...forwarded })).status).toBe(403);
  });
});

test.describe("on this machine", () => {
  let server: TestServer;
  test.beforeAll(async () => {
    server = await startServer({ from: sampleData });
  });
  test.afterAll(() => server.stop());

  test("its own names are served, another that resolves to it is not", async () => {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
      for (const host of [name, `${name}:${server.port}`, `${name}:8080`]) {
        expect((await raw(`${server.url}/login`, { headers: { host } })).status, host).toBe(200);
      }
    }
    for (const host of ["evil.example", `evil.example:${server.port}`, `localhost.evil.example:${server.port}`]) {
      expect((await raw(`${server.url}/login`, { headers: { host } })).status, host).toBe(421);
    }
  });

  test("a form is accepted from its own origin only", async () => {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
      const host = `${name}:${server.port}`;
      expect((await signInFrom(server, { host, origin: `http://${host}` })).status, host).toBe(302);
    }
    const host = `127.0.0.1:${server.port}`;
    for (const origin of [`https://${host}`, "http://127.0.0.1", "http://127.0.0.1:1", "http://evil.example"]) {
      expect((await signInFrom(server, { host, origin })).status, origin).toBe(403);
    }
  });
});
