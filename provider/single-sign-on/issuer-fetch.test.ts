import dns from "node:dns";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AddressRefused } from "../http/public-address.ts";
import { isReachable, issuerFetch } from "./issuer-fetch.ts";

const never = new AbortController().signal;
const options = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;
const causeOf = (error: unknown) => error;

/** What names lead to; each look-up takes the next answer. */
const answers: { address: string; family: number }[][] = [];

// Other tests of this process may have loaded the module that looks names up, so it is not replaced.
beforeAll(() => {
  const { lookup } = dns;
  const takeNext = (
    name: string,
    options: dns.LookupAllOptions,
    callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
  ) => {
    const answer = answers.shift();
    return answer ? callback(null, answer) : lookup(name, options, callback);
  };
  vi.spyOn(dns, "lookup").mockImplementation(takeNext as never);
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("requests to a company's identity provider", () => {
  test("are refused before a connection to a written address", async () => {
    const fetch = issuerFetch({ allowedHosts: [], signal: never });
    for (const url of [
      "https://127.0.0.1/",
      "https://[::ffff:10.0.0.1]/",
      "https://0x7f000001/",
      "http://example.org/",
    ]) {
      await expect(fetch(url, options)).rejects.toBeInstanceOf(AddressRefused);
    }
  });

  test("are refused if a name resolves to an address that is not public, even beside a public one", async () => {
    const fetch = issuerFetch({ allowedHosts: [], signal: never });
    const [open, inner] = [
      { address: "93.184.215.14", family: 4 },
      { address: "::ffff:127.0.0.1", family: 6 },
    ];
    for (const answer of [[inner], [open, inner], []]) {
      answers.push(answer);
      const thrown = await fetch("https://rebinding.example/", options).catch(causeOf);
      expect(thrown).toBeInstanceOf(AddressRefused);
    }
  });

  test("connect to the address that was looked up, and look it up once", async () => {
    answers.push([{ address: "93.184.215.14", family: 4 }], [{ address: "127.0.0.1", family: 4 }]);
    const stop = new AbortController();
    const response = issuerFetch({ allowedHosts: [], signal: stop.signal })("https://rebinding.example/", options);
    setImmediate(() => stop.abort());
    await expect(response).rejects.toThrow();
    expect(answers).toHaveLength(1);
    answers.length = 0;
  });

  test("reach a host that the operator allows by name, at its port alone if one is named", async () => {
    const server = createServer((_, response) => void response.end("here"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const get = async (allowedHosts: string[]) =>
      (await issuerFetch({ allowedHosts, signal: never })(url, options)).text();
    expect(await get([`127.0.0.1:${port}`])).toBe("here");
    expect(await get(["127.0.0.1"])).toBe("here");
    await expect(get(["127.0.0.1:1"])).rejects.toBeInstanceOf(AddressRefused);
    await expect(get(["127.0.0.2"])).rejects.toBeInstanceOf(AddressRefused);
    server.close();
  });

  test("may name hosts, with HTTPS", () => {
    expect(isReachable(new URL("https://login.example"), [])).toBe(true);
    expect(isReachable(new URL("http://login.example"), [])).toBe(false);
    expect(isReachable(new URL("http://login.example"), ["login.example"])).toBe(true);
  });
});
