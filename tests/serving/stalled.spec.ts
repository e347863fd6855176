import { connect, type Socket } from "node:net";
import { expect, test } from "@playwright/test";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** Clients that send a part of a form and then nothing. */

test.describe.configure({ mode: "parallel" });

let server: TestServer;
const sockets: Socket[] = [];

test.beforeEach(async () => {
  server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "silent" } });
});
test.afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** Opens a connection that posts the beginning of a sign-in. */
async function stall(path: string, network: string) {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await new Promise((resolve) => socket.once("connect", resolve));
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `X-Forwarded-For: ${network}`, `Origin: ${server.url}`];
  const type = "Content-Type: application/x-www-form-urlencoded";
  socket.write([...head, type, "Content-Length: 60", "", "email=ada@example"].join("\r\n"));
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  return new Promise<string>((resolve) => socket.once("close", () => resolve(answer)));
}

for (const path of ["/login", "/api/login"]) {
  test(`forms that never arrive block no sign-in, at ${path}`, async () => {
    const networks = ["192.0.2.1", "198.51.100.1", "203.0.113.1"];
    const stalled = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => ({ end: stall(path, networks[n % 3]!) })),
    );
    const answer = await fetch(`${server.url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "x-forwarded-for": "192.0.2.99", origin: server.url },
      body: new URLSearchParams(signIn),
    });
    expect(answer.status).toBe(302);
    expect(await stalled[0]!.end).toMatch(/^HTTP\/1\.1 408 /);
  });
}
