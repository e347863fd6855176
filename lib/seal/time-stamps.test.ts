import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { pemOf, testSigner } from "#tests/fixtures/signer.ts";
import { hasOpenssl, openTimeStampAuthority, startTimeStampService } from "#tests/fixtures/time-stamp-service.ts";
import { signatureRoom, signDigest } from "./cms.ts";
import { timeStamper } from "./time-stamps.ts";

const suite = describe.runIf(hasOpenssl);
const signature = Buffer.from("a signature");

let authority: ReturnType<typeof openTimeStampAuthority>;
let folder: string;
const services: { close(): Promise<void> }[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sealdesk-stamped-"));
  if (hasOpenssl) authority = openTimeStampAuthority();
});

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  if (hasOpenssl) authority.close();
});

async function service(reply: (request: Buffer, response: ServerResponse) => void) {
  const started = await startTimeStampService(reply);
  services.push(started);
  return started;
}

const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });

const fileOf = (name: string, bytes: Uint8Array | string) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

suite("a time stamp", () => {
  test("is verified by openssl, and so is the signature that has it", async () => {
    const { url } = await service((request, response) => response.end(authority.reply(request)));
    const ask = timeStamper([url], { onFailure: (error) => expect.fail(String(error)) });
    const by = testSigner();
    const tokens: { value: Uint8Array; token: Buffer }[] = [];
    const room = signatureRoom(by.chain, true);
    const content = Buffer.from("What is signed");
    const digest = createHash("sha256").update(content).digest();
    const signed = await signDigest(digest, by, {
      room,
      async timeStamp(value) {
        const token = await ask(value);
        tokens.push({ value, token: token! });
        return token;
      },
    });
    expect(signed.timestamped).toBe(true);
    expect(signed.signature.length).toBeLessThan(room);
    const [{ value, token }] = tokens as [(typeof tokens)[0]];
    expect(signed.signature.includes(token)).toBe(true);
    const files = ["-data", fileOf("value", value), "-in", fileOf("token", token), "-token_in"];
    expect(String(openssl("ts", "-verify", ...files, "-CAfile", authority.root))).toContain("Verification: OK");
    const cms = ["-inform", "DER", "-in", fileOf("cms", signed.signature)];
    expect(String(openssl("cms", "-cmsout", "-print", ...cms))).toContain("id-smime-aa-timeStampToken");
    const root = ["-CAfile", fileOf("root", pemOf(by.chain.at(-1)!))];
    const out = openssl("cms", "-verify", "-cades", "-binary", ...cms, "-content", fileOf("content", content), ...root);
    expect(out).toEqual(content);
    if (without("python3")) return;
    // The commands of docs/verifying.md as they stand there.
    const manual = readFileSync(join(import.meta.dirname, "..", "..", "docs/verifying.md"), "utf8");
    const commands = /^ {4}python3 - <<'END'\n {4}import re, subprocess[^]*?-CAfile tsa\.pem$/m.exec(manual)![0];
    fileOf("signature.der", Buffer.concat([signed.signature, Buffer.alloc(20)]));
    fileOf("tsa.pem", readFileSync(authority.root));
    const output = execFileSync("sh", ["-ec", commands.replace(/^ {4}/gm, "")], { cwd: folder, stdio: "pipe" });
    expect(String(output)).toContain("Verification: OK");
  });

  test("that does not fit is left out", async () => {
    const by = testSigner();
    const timeStamp = async () => Buffer.alloc(100_000);
    const room = signatureRoom(by.chain, true);
    const { signature, timestamped } = await signDigest(Buffer.alloc(32), by, { room, timeStamp });
    expect(timestamped).toBe(false);
    expect(signature.length).toBeLessThan(room);
  });
});

suite("there is no time stamp, and the failure is reported, if the service", () => {
  test.each<[string, (request: Buffer, response: ServerResponse) => void, RegExp]>([
    ["replies with a page", (_, response) => response.end("<!doctype html><p>Welcome to our hotel"), /./],
    ["replies with nothing", (_, response) => response.end(), /did not answer/],
    ["replies with 503", (_, response) => response.writeHead(503).end(), /replied with 503/],
    ["refers to another address", (_, response) => response.writeHead(302, { location: "/" }).end(), /302/],
    ["hangs", () => {}, /abort/i],
    ["hangs in its reply", (_, response) => void response.write("\x30"), /abort/i],
    ["never ends its reply", (_, response) => flood(response), /too much/],
    ["closes the connection", (_, response) => void response.destroy(), /./],
    ["refuses", (_, response) => response.end(Buffer.from("30053003020102", "hex")), /refused/],
    ["cuts its reply short", (request, response) => response.end(authority.reply(request).subarray(0, 900)), /./],
  ])("%s", async (_, reply, message) => {
    const { url } = await service(reply);
    const failures: unknown[] = [];
    const ask = timeStamper([url], { onFailure: (error) => failures.push(error), timeoutMs: 500, now: () => 0 });
    expect(await ask(signature)).toBeUndefined();
    expect(failures).toHaveLength(1);
    expect(String(failures[0])).toMatch(message);
  });

  test("repeats an earlier reply", async () => {
    let earlier: Buffer | undefined;
    const { url } = await service((request, response) => response.end((earlier ??= authority.reply(request))));
    const failures: unknown[] = [];
    const ask = timeStamper([url], { onFailure: (error) => failures.push(error) });
    expect(await ask(signature)).toBeDefined();
    expect(await ask(signature)).toBeUndefined();
    expect(String(failures)).toContain("a stamp of something else");
  });
});

function flood(response: ServerResponse) {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(10_000)));
  };
  response.on("drain", more);
  more();
}

suite("a service that failed", () => {
  test("is left alone for a minute", async () => {
    const failing = await service((_, response) => response.writeHead(503).end());
    let [now, failures] = [0, 0];
    const ask = timeStamper([failing.url], { onFailure: () => failures++, now: () => now });
    for (now of [0, 1000, 59_999]) expect(await ask(signature)).toBeUndefined();
    expect([failing.requests, failures]).toEqual([1, 1]);
    now = 60_000;
    expect(await ask(signature)).toBeUndefined();
    expect([failing.requests, failures]).toEqual([2, 2]);
  });
});

suite("of several services", () => {
  test("the first that stamps is asked, and the next in its place while it fails", async () => {
    let isDown = false;
    const first = await service((request, response) =>
      isDown ? response.writeHead(503).end() : response.end(authority.reply(request)),
    );
    const hanging = await service(() => {});
    const last = await service((request, response) => response.end(authority.reply(request)));
    const failures: string[] = [];
    let now = 0;
    const urls = [first.url, hanging.url, last.url];
    const ask = timeStamper(urls, { onFailure: (_, url) => failures.push(url), timeoutMs: 500, now: () => now });
    const requests = () => [first.requests, hanging.requests, last.requests];
    expect(await ask(signature)).toBeDefined();
    expect([requests(), failures]).toEqual([[1, 0, 0], []]);
    isDown = true;
    for (let n = 0; n < 2; n++) expect(await ask(signature)).toBeDefined();
    expect([requests(), failures]).toEqual([
      [2, 1, 2],
      [first.url, hanging.url],
    ]);
    [isDown, now] = [false, 60_000];
    expect(await ask(signature)).toBeDefined();
    expect(requests()).toEqual([3, 1, 2]);
  });
});

test("an unreachable address gives no time stamp", async () => {
  const closed = await startTimeStampService(() => {});
  await closed.close();
  const failures: unknown[] = [];
  expect(await timeStamper([closed.url], { onFailure: (error) => failures.push(error) })(signature)).toBeUndefined();
  expect(String(failures[0])).toContain("ECONNREFUSED");
});
