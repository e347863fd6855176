import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { inRequest, noteWait, type AboutRequest } from "./about-request.ts";
import { inTurn, setsPassword } from "./admission.ts";

const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 25_000 });

let close = () => {};
afterEach(() => close());

/** A server with admission control, whose requests are answered when they are told to be. */
async function office(setting: Parameters<typeof inTurn>[2]) {
  const inside: string[] = [];
  const answers = new Map<string, () => void>();
  const waits = new Map<string, () => void>();
  const [arrived, gone]: string[][] = [[], []];
  const handle: RequestListener = ({ url }, response) => {
    inside.push(url!);
    answers.set(url!, () => response.end("answered"));
  };
  const listen = inTurn(handle, (_, response) => response.writeHead(503).end(), setting);
  const server = createServer((request, response) => {
    const about: AboutRequest = {};
    inRequest(about, () => {
      arrived!.push(request.url!);
      response.once("close", () => gone!.push(request.url!));
      waits.set(request.url!, () => inRequest(about, noteWait));
      listen(request, response);
    });
  });
  server.listen(0);
  await once(server, "listening");
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const post = async (path: string, signal?: AbortSignal) =>
    (await fetch(url + path, { method: "POST", ...(signal && { signal }) })).status;
  return { post, inside, answer: (path: string) => answers.get(path)!(), waits, arrived: arrived!, gone: gone! };
}

test("requests come in no faster than others leave, in the order in which they came", async () => {
  const { post, inside, answer } = await office({ atOnce: 2 });
  const all = [];
  for (const path of ["/a", "/b", "/c", "/d"]) {
    all.push(post(path));
    if (inside.length < 2) await eventually(() => inside).toContain(path);
  }
  await eventually(() => inside).toEqual(["/a", "/b"]);
  answer("/b");
  await eventually(() => inside).toHaveLength(3);
  answer("/a");
  await eventually(() => inside).toHaveLength(4);
  for (const path of inside.slice(2)) answer(path);
  expect(await Promise.all(all)).toEqual([200, 200, 200, 200]);
});

test("one that waits for something else lets another in", async () => {
  const { post, inside, answer, waits } = await office({ atOnce: 1 });
  const first = post("/delayed");
  await eventually(() => inside).toEqual(["/delayed"]);
  const second = post("/next");
  waits.get("/delayed")!();
  await eventually(() => inside).toEqual(["/delayed", "/next"]);
  answer("/next");
  answer("/delayed");
  expect(await Promise.all([first, second])).toEqual([200, 200]);
});

test("whoever has waited for too long, or finds too many waiting, is turned away without being let in", async () => {
  const late = new AbortController();
  const { post, inside, answer } = await office({ atOnce: 1, mostWaiting: 1, patience: () => late.signal });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  const others = [post("/second"), post("/third")];
  expect(await Promise.race(others)).toBe(503);
  late.abort();
  expect(await Promise.all(others)).toEqual([503, 503]);
  answer("/first");
  expect(await first).toBe(200);
  expect(inside).toEqual(["/first"]);
});

test("a client that goes away leaves its place", async () => {
  const { post, inside, answer, arrived, gone } = await office({ atOnce: 1, mostWaiting: 1 });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  const leaving = new AbortController();
  const left = post("/left", leaving.signal).catch(() => "left");
  await eventually(() => arrived).toContain("/left");
  leaving.abort();
  expect(await left).toBe("left");
  await eventually(() => gone).toContain("/left");
  const last = post("/last");
  await eventually(() => arrived).toContain("/last");
  answer("/first");
  expect(await first).toBe(200);
  await eventually(() => inside).toEqual(["/first", "/last"]);
  answer("/last");
  expect(await last).toBe(200);
});

test("the forms that set or check a password go through it, and nothing else", () => {
  const is = (method: string, url: string) => setsPassword({ method, url } as never);
  for (const url of ["/login", "/login?next=%2F", "/login.data", "/api/login", "/signup?token=x", "/api/signup"]) {
    expect(is("POST", url), url).toBe(true);
    expect(is("GET", url), url).toBe(false);
  }
  for (const url of ["/", "/logins", "/api/users", "/api/logout", "/forgot"]) expect(is("POST", url), url).toBe(false);
});
