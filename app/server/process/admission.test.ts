import { expect, test } from "vitest";
import { withRequest, noteWait, type RequestContext } from "../request/request-context.ts";
import { admitInTurn, carriesPassword } from "./admission.ts";

const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 25_000 });

/** Resolves once the requests before have arrived. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const never = () => new AbortController().signal;

/** Admission control, whose requests the test sends and answers. */
function fixture(options: Parameters<typeof admitInTurn>[0]) {
  const inside: string[] = [];
  let posted = 0;
  const answers = new Map<string, (status?: number) => void>();
  const waits = new Map<string, () => void>();
  const admit = admitInTurn(options);
  type Sent = { signal?: AbortSignal; address?: string; body?: BodyInit; headers?: Record<string, string> };
  const post = async (path: string, { address = `192.0.2.${++posted}`, ...options }: Sent = {}) => {
    const about: RequestContext = { peer: address };
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      duplex: "half",
      ...options,
    } as RequestInit);
    const next = () => {
      inside.push(path);
      return new Promise<Response>((resolve) =>
        answers.set(path, (status = 200) => resolve(new Response(null, { status }))),
      );
    };
    waits.set(path, () => withRequest(about, noteWait));
    return (await withRequest(about, () => admit(request, next)))?.status ?? "refused";
  };
  /** Sends the beginning of a form; returns what sends the rest, and the status. */
  const begin = (path: string, length?: number) => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    void writer.write(Buffer.from("x".repeat(10)));
    const headers: Record<string, string> = length ? { "content-length": String(length) } : {};
    return { status: post(path, { body: readable, headers }), end: () => writer.close() };
  };
  return { post, begin, inside, answer: (path: string, status = 200) => answers.get(path)!(status), waits };
}

test("requests are admitted no faster than others are answered, in order of arrival", async () => {
  const { post, inside, answer } = fixture({ concurrency: 2 });
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
  const { post, inside, answer, waits } = fixture({ concurrency: 1 });
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
  const abortion = new AbortController();
  const { post, inside, answer } = fixture({ concurrency: 1, maxWaiting: 1, queueTimeout: () => abortion.signal });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  const others = [post("/second"), post("/third")];
  expect(await Promise.race(others)).toBe("refused");
  abortion.abort();
  expect(await Promise.all(others)).toEqual(["refused", "refused"]);
  answer("/first");
  expect(await first).toBe(200);
  expect(inside).toEqual(["/first"]);
});

test("a network has a limited number of places; its further requests wait without one", async () => {
  const abortion = new AbortController();
  const { post, inside, answer } = fixture({
    concurrency: 2,
    maxPerNetwork: 1,
    queueTimeout: () => abortion.signal,
  });
  const first = post("/first", { address: "2001:db8:1:1::1" });
  await eventually(() => inside).toEqual(["/first"]);
  const again = post("/again", { address: "2001:db8:1:1::2" });
  await settled();
  const other = post("/other", { address: "2001:db8:2:1::1" });
  await eventually(() => inside).toEqual(["/first", "/other"]);
  answer("/first");
  answer("/other");
  expect(await Promise.all([first, other])).toEqual([200, 200]);
  abortion.abort();
  expect(await again).toBe("refused");
  expect(inside).not.toContain("/again");
});

test("a refused request keeps its place for a while, so that immediate retries gain nothing", async () => {
  let free = () => {};
  const refusalDelay = () => new Promise<void>((resolve) => (free = resolve));
  const { post, inside, answer } = fixture({ concurrency: 1, refusalDelay });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  answer("/first", 429);
  expect(await first).toBe(429);
  const second = post("/second");
  await settled();
  expect(inside).toEqual(["/first"]);
  free();
  await eventually(() => inside).toEqual(["/first", "/second"]);
  answer("/second");
  expect(await second).toBe(200);
});

test("an aborted request releases its place", async () => {
  const { post, inside, answer } = fixture({ concurrency: 1, maxWaiting: 1 });
  const first = post("/first");
  await eventually(() => inside).toEqual(["/first"]);
  const leaving = new AbortController();
  const abortedPost = post("/aborted", { signal: leaving.signal });
  await settled();
  leaving.abort();
  expect(await abortedPost).toBe("refused");
  const last = post("/last");
  await settled();
  answer("/first");
  expect(await first).toBe(200);
  await eventually(() => inside).toEqual(["/first", "/last"]);
  answer("/last");
  expect(await last).toBe(200);
});

test("the oldest of too many slowly arriving forms is dropped", async () => {
  const { begin, inside, answer } = fixture({ maxArriving: 2, bodyTimeout: never });
  const forms = [];
  for (const path of ["/oldest", "/older", "/newest"]) {
    forms.push(begin(path));
    await settled();
  }
  const [oldest, older, newest] = forms;
  expect(await oldest!.status).toBe(408);
  for (const form of [newest, older]) void form!.end();
  await eventually(() => inside.toSorted()).toEqual(["/newest", "/older"]);
  for (const path of inside) answer(path);
  expect(await Promise.all([older!.status, newest!.status])).toEqual([200, 200]);
});

test("only a few forms too long to carry a password are admitted at once", async () => {
  const { begin, post, inside, answer } = fixture({ concurrency: 1, maxLong: 1 });
  const long = begin("/long", 1_000_000);
  await eventually(() => inside).toEqual(["/long"]);
  expect(await begin("/long-too", 1_000_000).status).toBe("refused");
  const short = post("/short");
  await eventually(() => inside).toEqual(["/long", "/short"]);
  answer("/short");
  answer("/long");
  expect(await Promise.all([short, long.status])).toEqual([200, 200]);
  const next = begin("/next", 1_000_000);
  await eventually(() => inside).toContain("/next");
  answer("/next");
  expect(await next.status).toBe(200);
});

test("admission is for forms that set or check a password, and for nothing else", () => {
  const is = (method: string, path: string) => carriesPassword({ method, url: `http://localhost${path}` });
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
])("a form that is posted to %s brings a password", (path) =>
  expect(carriesPassword({ method: "POST", url: `http://localhost${path}` })).toBe(true),
);

test.each(["/logins", "/documents/login", "/%E0%A4%A/login"])("one that is posted to %s brings none", (path) =>
  expect(carriesPassword({ method: "POST", url: `http://localhost${path}` })).toBe(false),
);
