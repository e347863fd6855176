import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { withRequest, noteWait, type RequestContext } from "../request/request-context.ts";
import { admitInTurn, carriesPassword } from "./admission.ts";

const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 25_000 });

const never = () => new AbortController().signal;

let close = () => {};
afterEach(() => close());

/** A server with admission control, whose requests the test answers. */
async function fixture(options: Parameters<typeof admitInTurn>[2]) {
  const inside: string[] = [];
  let posted = 0;
  const answers = new Map<string, (status?: number) => void>();
  const waits = new Map<string, () => void>();
  const [arrived, gone]: string[][] = [[], []];
  const handle: RequestListener = ({ url }, response) => {
    inside.push(url!);
    answers.set(url!, (status = 200) => response.writeHead(status).end());
  };
  const listen = admitInTurn(handle, (_, response) => response.writeHead(503).end(), options);
  const server = createServer((request, response) => {
    const about: RequestContext = {};
    withRequest(about, () => {
      arrived!.push(request.url!);
      response.once("close", () => gone!.push(request.url!));
      waits.set(request.url!, () => withRequest(about, noteWait));
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
  const post = async (path: string, more: { signal?: AbortSignal; address?: string } = {}) => {
    const { address = `192.0.2.${++posted}`, ...init } = more;
    const answer = await fetch(url + path, { method: "POST", headers: { "x-forwarded-for": address }, ...init });
    return answer.status;
  };
  /** Sends the beginning of a form; returns what sends the rest, and the status that is heard. */
  const begin = (path: string, bytes: number, rest: number) => {
    const socket = connect((server.address() as AddressInfo).port, "localhost");
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${bytes + rest}\r\n\r\n`;
    socket.write(head + "x".repeat(bytes));
    const status = text(socket).then((answer) => Number(answer.split(" ")[1]));
    return { status, end: () => socket.write("x".repeat(rest)) };
  };
  return {
    post,
    begin,
    inside,
    answer: (path: string, status = 200) => answers.get(path)!(status),
    waits,
    arrived: arrived!,
    gone: gone!,
  };
}

test("requests are admitted no faster than others are answered, in order of arrival", async () => {
  const { post, inside, answer } = await fixture({ concurrency: 2 });
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

test("a request that waits without using the processor lets another in", async () => {
  const { post, inside, answer, waits } = await fixture({ concurrency: 1 });
  const first = post("/delayed");
  await eventually(() => inside).toEqual(["/delayed"]);
  const second = post("/next");
  waits.get("/delayed")!();
  await eventually(() => inside).toEqual(["/delayed", "/next"]);
  answer("/next");
  answer("/delayed");
  expect(await Promise.all([first, second])).toEqual([200, 200]);
});

test("a request that has waited too long, or finds a full queue, is rejected without being admitted", async () => {
  const late = new AbortController();
  const { post, inside, answer } = await fixture({ concurrency: 1, maxWaiting: 1, queueTimeout: () => late.signal });
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

test("a network has a limited number of places; its further requests wait without one", async () => {
  const late = new AbortController();
  const { post, inside, answer, arrived } = await fixture({
    concurrency: 2,
    maxPerNetwork: 1,
    queueTimeout: () => late.signal,
  });
  const first = post("/first", { address: "2001:db8:1:1::1" });
  await eventually(() => inside).toEqual(["/first"]);
  const again = post("/again", { address: "2001:db8:1:1::2" });
  await eventually(() => arrived).toContain("/again");
  const other = post("/other", { address: "2001:db8:2:1::1" });
  await eventually(() => inside).toEqual(["/first", "/other"]);
  answer("/first");
  answer("/other");
  expect(await Promise.all([first, other])).toEqual([200, 200]);
  late.abort();
  expect(await again).toBe(503);
  expect(inside).not.toContain("/again");
});

test("a refused request keeps its place for a while, so that immediate retries gain nothing", async () => {
  let free = () => {};
  const refusalDelay = () => new Promise<void>((resolve) => (free = resolve));
  const { post, inside, answer, arrived } = await fixture({ concurrency: 1, refusalDelay });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  answer("/first", 429);
  expect(await first).toBe(429);
  const second = post("/second");
  await eventually(() => arrived).toContain("/second");
  expect(inside).toEqual(["/first"]);
  free();
  await eventually(() => inside).toEqual(["/first", "/second"]);
  answer("/second");
  expect(await second).toBe(200);
});

test("an aborted request releases its place", async () => {
  const { post, inside, answer, arrived, gone } = await fixture({ concurrency: 1, maxWaiting: 1 });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  const leaving = new AbortController();
  const left = post("/left", { signal: leaving.signal }).catch(() => "left");
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

test("the oldest of too many slowly arriving forms is dropped", async () => {
  const { begin, inside, answer, arrived } = await fixture({ maxArriving: 2, bodyTimeout: never });
  const forms = [];
  for (const path of ["/oldest", "/older", "/newest"]) {
    forms.push(begin(path, 10, 10));
    await eventually(() => arrived).toContain(path);
  }
  const [oldest, older, newest] = forms;
  expect(await oldest!.status).toBe(408);
  for (const form of [newest, older]) form!.end();
  await eventually(() => inside.toSorted()).toEqual(["/newest", "/older"]);
  for (const path of inside) answer(path);
  expect(await Promise.all([older!.status, newest!.status])).toEqual([200, 200]);
});

test("only a few forms too long to carry a password are admitted at once", async () => {
  const { begin, post, inside, answer } = await fixture({ concurrency: 1, maxLong: 1 });
  const long = begin("/long", 100, 1_000_000);
  await eventually(() => inside).toEqual(["/long"]);
  expect(await begin("/long-too", 100, 1_000_000).status).toBe(503);
  const short = post("/short");
  await eventually(() => inside).toEqual(["/long", "/short"]);
  answer("/short");
  answer("/long");
  expect(await Promise.all([short, long.status])).toEqual([200, 200]);
  const next = begin("/next", 100, 1_000_000);
  await eventually(() => inside).toContain("/next");
  answer("/next");
  expect(await next.status).toBe(200);
});

test("admission is for forms that set or check a password, and for nothing else", () => {
  const is = (method: string, url: string) => carriesPassword({ method, url } as never);
  for (const url of ["/login", "/login?next=%2F", "/login.data", "/api/login", "/signup?token=x", "/api/signup"]) {
    expect(is("POST", url), url).toBe(true);
    expect(is("GET", url), url).toBe(false);
  }
  for (const url of ["/", "/logins", "/api/users", "/api/logout", "/forgot"]) expect(is("POST", url), url).toBe(false);
});

test.each([
  "/login",
  "/login?next=/map",
  "/login.data",
  "/login/",
  "/LOGIN",
  "/%6cogin",
  "/x/../api/login",
  "/assets/%2e%2e/login",
  "/api/%6Cogin",
  "//signup?token=x",
])("a form that is posted to %s brings a password", (url) =>
  expect(carriesPassword({ method: "POST", url })).toBe(true),
);

test.each(["/logins", "/documents/login", "/%E0%A4%A/login"])("one that is posted to %s brings none", (url) =>
  expect(carriesPassword({ method: "POST", url })).toBe(false),
);
