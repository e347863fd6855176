import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "#tests/fixtures/webhook-receiver.ts";
import { post } from "./http-post.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function receiver(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...parameters);
  cleanUps.push(started.close);
  return started;
}

const here = [{ address: "127.0.0.1", family: 4 }];
const sendTo = (url: string, timeoutMs = 60_000, signal = new AbortController().signal) =>
  post({ url: new URL(url), addresses: here }, { headers: { "webhook-id": "evt_1" }, body: "{}", timeoutMs, signal });

test("posts a body as JSON and returns the reply", async () => {
  const { url, received } = await receiver((response) => response.writeHead(202).end("Thanks"));
  expect(await sendTo(url)).toMatchObject({ status: 202, problem: "", reply: "Thanks" });
  expect(received).toMatchObject([
    { body: "{}", headers: { "webhook-id": "evt_1", "content-type": "application/json" } },
  ]);
});

test("the address is used that was resolved before, whatever the name says by now", async () => {
  const { port, received } = await receiver();
  expect(await sendTo(`http://no-such-host.invalid:${port}/`)).toMatchObject({ status: 204 });
  expect(received).toMatchObject([{ headers: { host: `no-such-host.invalid:${port}` } }]);
});

test("a redirect is not followed", async () => {
  const other = await receiver();
  const { url } = await receiver((response) => response.writeHead(307, { location: other.url }).end());
  const { status, problem } = await sendTo(url);
  expect([status, problem]).toEqual([307, expect.stringContaining("not followed")]);
  expect(other.received).toEqual([]);
});

test("an endless answer is read to a small bound, and its connection closed", async () => {
  let ended: Promise<void> | undefined;
  const { url } = await receiver((response) => {
    ended = new Promise((resolve) => response.once("close", resolve));
    response.writeHead(200);
    const more = () => {
      while (response.writable && response.write("x".repeat(10_000)));
      if (response.writable) response.once("drain", more);
    };
    more();
  });
  const { status, reply } = await sendTo(url);
  expect([status, reply]).toEqual([200, "x".repeat(1000)]);
  await ended;
});

test("a body that never ends counts by its status, and an answer that never comes does not", async () => {
  const { url } = await receiver((response) => void response.writeHead(200).write("Slowly"));
  expect(await sendTo(url)).toMatchObject({ status: 200, problem: "", reply: "Slowly" });
  const silent = await receiver(() => {});
  expect(await sendTo(silent.url, 50)).toMatchObject({
    status: null,
    problem: "There was no reply within 0.05 seconds",
  });
});

test("keeps only the text of a reply that both databases can store", async () => {
  const { url } = await receiver((response) =>
    response.writeHead(500).end(Buffer.from("a\0b\u001B[31m\nc\xFF", "latin1")),
  );
  expect(await sendTo(url)).toMatchObject({
    status: 500,
    problem: "The receiver refused it",
    reply: "ab[31m\nc\uFFFD",
  });
  const packed = await receiver((response) => response.writeHead(200, { "content-encoding": "gzip" }).end("packed"));
  expect(await sendTo(packed.url)).toMatchObject({ status: 200, reply: "" });
});

test("reports unreachable, non-HTTP and non-TLS hosts", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.resume().end("220 mail.example ready\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect((await sendTo(`http://127.0.0.1:${port}/`)).problem).toBe("The reply is not HTTP");
  expect((await sendTo(`https://127.0.0.1:${port}/`)).problem).toBe("The receiver does not speak TLS there");
  await new Promise((resolve) => server.close(resolve));
  expect((await sendTo(`http://127.0.0.1:${port}/`)).problem).toBe("The connection was refused");
});

test("an aborted request has no outcome", async () => {
  const abort = new AbortController();
  const { url } = await receiver(() => abort.abort());
  await expect(sendTo(url, 60_000, abort.signal)).rejects.toThrow("abort");
});
