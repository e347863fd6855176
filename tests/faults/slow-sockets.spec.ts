import { connect, type Socket } from "node:net";
import autocannon from "autocannon";
import { expect, test } from "@playwright/test";
import { signInClient } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

test("a thousand slow sockets at most double the latency of others", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
  const { cookie } = await signInClient(server.url);
  const p99 = async () => {
    const url = `${server.url}/documents/list`;
    const result = await autocannon({ url, headers: { cookie }, connections: 4, duration: 20, workers: 1 });
    expect(result.non2xx + result.errors).toBe(0);
    return result.latency.p99;
  };
  await p99();
  const before = await p99();
  const sockets = Array.from({ length: 1000 }, (_, n) => trickle(server, n));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  const during = await p99();
  for (const socket of sockets) socket.destroy();
  console.log(`p99 ${before} ms without, ${during} ms with a thousand slow sockets`);
  expect(during / before).toBeLessThanOrEqual(2);
  await server.stop();
});

/** Half of them never come to the end of their headers, half never to that of the form. */
function trickle({ port }: TestServer, n: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000000\r\n\r\n";
  socket.write(`POST /login HTTP/1.1\r\nHost: localhost\r\n${n % 2 ? form : "X-Slow: "}`);
  const drip = setInterval(() => socket.write("x"), 1000);
  socket.on("close", () => clearInterval(drip));
  return socket;
}
