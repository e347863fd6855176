import { connect } from "node:net";
import { expect, test } from "../support/serving.ts";
import { addPages, signInOverHttp, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { raw } from "../support/raw.ts";
import { addressOf, builtRoutes, formRoutes, refuseFirst } from "../support/routes.ts";
import { signIn } from "../support/sample.ts";
import { residentMegabytes, type TestServer, until } from "../support/server.ts";

/** What changes something comes from our own pages, and is no larger than it may be: at every address there is. */

test.use({ serverEnv: { LOG_LEVEL: "silent" } });

const form = "application/x-www-form-urlencoded";
/** By a key in a header, and never by a cookie. */
const isApi = (pattern: string) => /^\/(api|scim)\//.test(pattern);

const fromElsewhere: [what: string, headers: Record<string, string>][] = [
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a neighbouring site", { "sec-fetch-site": "same-site" }],
  ["another site, by an old browser", { origin: "https://evil.example" }],
  ["a page without an origin", { origin: "null" }],
];

for (const [what, headers] of fromElsewhere) {
  test(`requests from ${what} are refused, at any address`, async ({ server, client }) => {
    const patterns = builtRoutes().map(({ pattern }) => pattern);
    expect(patterns.length).toBeGreaterThan(60);
    for (const pattern of patterns.filter((one) => !isApi(one))) {
      const address = addressOf(pattern);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        for (const path of [address, address === "/" ? "/_root.data" : `${address}.data`]) {
          const answer = await raw(server.url + path, {
            method,
            headers: { ...headers, cookie: client.cookie, "content-type": form },
            body: "intent=archive",
          });
          expect(answer.status, `${method} ${path}`).toBe(403);
        }
      }
    }
    // Nor is anybody signed out by it.
    expect((await client.get("/dashboard")).status).toBe(200);
  });
}

test("the API ignores cookies, whatever their origin", async ({ server, client }) => {
  const headers = { cookie: client.cookie, "content-type": form };
  const answer = await raw(`${server.url}/api/documents/1/archive`, { method: "POST", headers });
  expect(answer.status).toBe(401);
});

test("a form that is too large is refused at every address", async ({ server, client }) => {
  const draft = await startDraft(client, "With room for more");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const id = draft.split("/").at(-1)!;
  const forms = formRoutes();
  expect(forms.length).toBeGreaterThan(18);
  for (const { pattern, isForGuests, isUpload } of forms) {
    const address = addressOf(pattern.replace(":draft", id));
    const pageUser = await client.pageUser();
    const [type, body] = isUpload
      ? ["multipart/form-data; boundary=b", part("page_user", pageUser) + multipart("intent", "x".repeat(1_100_000))]
      : [form, `page_user=${pageUser}&intent=${"x".repeat(1_100_000)}`];
    // In chunks, so that no Content-Length is sent.
    const cookie = isForGuests ? "" : client.cookie;
    const headers = { cookie, origin: server.url, "content-type": type, "transfer-encoding": "chunked" };
    const answer = await raw(server.url + address, { method: "POST", headers, body });
    const pageText = answer.body.toString();
    expect(answer.status, address).toBe(isUpload ? 422 : 413);
    expect(pageText, address).toMatch(/The form is too large|None was added|Nothing was sent/);
  }
});

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const multipart = (name: string, value: string) => `${part(name, value)}--b--\r\n`;

type Described = { paths: Record<string, Record<string, { requestBody?: object }>> };

test("a body that is too large is refused at every API call", async ({ server }) => {
  const { token } = await signInOverHttp(server.url);
  const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Described;
  const long = "x".repeat(2_200_000);
  let requestCount = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      if (!requestBody || refuseFirst.includes(path)) continue;
      const bodies = [
        ["application/json", JSON.stringify({ name: long })],
        [form, `name=${long}`],
        ["multipart/form-data; boundary=b", multipart("name", long)],
      ] as const;
      for (const [type, body] of bodies) {
        const url = `${server.url}${path.startsWith("/api") ? "" : "/api"}${path.replace("{rule}", "burst").replace(/\{\w+\}/g, "1")}`;
        const headers = { authorization: `Bearer ${token}`, "content-type": type, "transfer-encoding": "chunked" };
        const answer = await raw(url, { method: method.toUpperCase(), headers, body });
        expect([answer.status, JSON.parse(answer.body.toString())], `${method} ${path} ${type}`).toEqual([
          413,
          { message: expect.stringMatching(/too large/) },
        ]);
        requestCount++;
      }
    }
  }
  expect(requestCount).toBeGreaterThan(50);
});

test("compressed bodies are refused before they are decompressed, by pages and the API", async ({ server }) => {
  for (const path of ["/login", "/api/login", "/documents/new", "/v/12345"]) {
    for (const encoding of ["gzip", "br", "deflate, gzip"]) {
      const headers = { origin: server.url, "content-type": form, "content-encoding": encoding };
      const answer = await raw(server.url + path, { method: "POST", headers, body: "x" });
      expect(answer.status, path).toBe(415);
      expect(answer.body.toString(), path).toContain("Compressed bodies are not accepted: send it uncompressed.");
    }
  }
});

/** Sends bytes as they are; the answer so far, and whether the connection has ended. */
function send(port: number, bytes: string) {
  const socket = connect(port, "127.0.0.1");
  const heard = { text: "", isEnded: false, end: () => socket.destroy() };
  socket.on("data", (chunk: Buffer) => (heard.text += chunk.toString()));
  socket.on("close", () => (heard.isEnded = true));
  socket.on("error", () => {});
  socket.write(bytes);
  return heard;
}

const signInForm = new URLSearchParams(signIn).toString();
const head = (server: TestServer, ...lines: string[]) =>
  ["POST /login HTTP/1.1", `Host: localhost:${server.port}`, `Content-Type: ${form}`, ...lines, "", ""].join("\r\n");

test("request smuggling: excess body bytes are not parsed as a request", async ({ server }) => {
  const claimed = signInForm.length;
  const smuggled = `GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n`;
  const both = head(server, `Content-Length: ${claimed}`, `Transfer-Encoding: chunked`) + signInForm + smuggled;
  const answer = send(server.port, both);
  await until(() => answer.isEnded, "the connection's end");
  expect(answer.text).toMatch(/^HTTP\/1.1 400 /);
  const short = send(server.port, head(server, "Content-Length: 5") + signInForm);
  await until(() => short.isEnded, "the connection's end");
  // Read as far as was claimed, that is no sign-in.
  expect(short.text).toMatch(/^HTTP\/1.1 4(00|22) /);
  expect(short.text).not.toMatch(/set-cookie: \S*sealdesk/i);
});

test("a body shorter than its Content-Length has no effect and no cost", async ({ server }) => {
  const before = residentMegabytes(server.process.pid!);
  const waiting = Array.from({ length: 50 }, () =>
    send(server.port, head(server, "Content-Length: 5000000000") + signInForm),
  );
  await until(async () => (await fetch(`${server.url}/healthz`)).ok);
  for (const one of waiting) {
    // A few are waited for; the others are turned away.
    expect(one.text).toMatch(/^($|HTTP\/1\.1 503 )/);
    one.end();
  }
  expect((await fetch(`${server.url}/healthz`)).ok).toBe(true);
  expect(residentMegabytes(server.process.pid!) - before).toBeLessThan(50);
});

test("pages know no other methods than their forms", async ({ server }) => {
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const answer = await raw(`${server.url}/v/QQQQQQQQQQ`, {
      method,
      headers: { "content-type": form },
      body: "text=by-put",
    });
    expect([answer.status, answer.headers["allow"]], method).toEqual([405, "GET, HEAD, POST"]);
  }
});
