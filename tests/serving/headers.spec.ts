import { expect, test } from "@playwright/test";
import {
  addPages,
  browserCookie,
  create,
  pageUserOf,
  signInOverHttp,
  signInClient,
  startDraft,
} from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { freePort } from "../support/postgres.ts";
import { type Raw, raw, type RawAnswer } from "../support/raw.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

/** Whatever is asked for and whoever answers it, the reply says how little a browser may do with it. */

test.describe.configure({ mode: "parallel" });

const metricsToken = "5d1c9e70b2a4f386";

/** Replies of every kind, by what they are. */
async function everyKind(url: string, publicUrl: string): Promise<Record<string, RawAnswer>> {
  const ask = (path: string, requestHeaders: Raw = {}) => raw(url + path, requestHeaders);
  const signedOut = await ask("/login");
  const asset = /\/assets\/[\w-]+\.css/.exec(signedOut.body.toString())![0];
  const origin = publicUrl;
  const form = { "content-type": "application/x-www-form-urlencoded", origin };
  const posted = await ask("/login", {
    method: "POST",
    headers: form,
    body: new URLSearchParams(signIn).toString(),
  });
  expect(posted.status).toBe(302);
  const cookie = posted.headers["set-cookie"]![0]!.split(";")[0]!;
  const { token } = await signInOverHttp(url);
  const bearer = { authorization: `Bearer ${token}` };
  const see = (path: string, headers: Record<string, string> = {}) => ask(path, { headers: { cookie, ...headers } });
  const verifyUrl = JSON.parse((await ask("/api/documents/1", { headers: bearer })).body.toString()).verify_url;
  const { pathname: verify } = new URL(verifyUrl as string);
  const pageUser = pageUserOf((await see("/logout")).body.toString());
  const icon = await ask("/apple-touch-icon.png");
  return {
    "a page": signedOut,
    "a page's head": await ask("/login", { method: "HEAD" }),
    "a page of somebody signed in": await see("/dashboard"),
    "a page's data": await see("/documents/list.data"),
    "a redirect": await ask("/"),
    "a form's redirect": posted,
    "a form that is refused": await ask("/login", { method: "POST", headers: form, body: "email=x" }),
    "a form from another site": await ask("/login", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }),
    "a stranger's form from another site": await ask(verify, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site" },
    }),
    "a form that is too large": await ask("/login", { method: "POST", headers: form, body: "x".repeat(1_100_000) }),
    "a form where there is none": await ask("/dashboard", {
      method: "POST",
      headers: { ...form, cookie },
      body: `page_user=${pageUser}&a=b`,
    }),
    "what is packed": await ask("/login", { method: "POST", headers: { ...form, "content-encoding": "gzip" } }),
    "an unknown page": await ask("/no/such/page"),
    "the page behind a code": await ask(verify),
    "a code that is none": await ask("/v/12345"),
    "a style sheet": await ask(asset),
    "a file that is missing": await ask("/assets/nothing.js"),
    "an icon": icon,
    "an icon that is known": await ask("/apple-touch-icon.png", { headers: { "if-none-match": icon.headers.etag! } }),
    "robots.txt": await ask("/robots.txt"),
    "keys of seals": await ask("/.well-known/jwks.json"),
    "status lists": await ask("/.well-known/status-lists"),
    "root certificates": await ask("/.well-known/sealdesk-root.pem"),
    "a page about seals": await ask("/seals"),
    "no security.txt": await ask("/.well-known/security.txt"),
    health: await ask("/healthz"),
    readiness: await ask("/readyz"),
    "figures without a token": await ask("/metrics"),
    figures: await ask("/metrics", { headers: { authorization: `Bearer ${metricsToken}` } }),
    "the API": await ask("/api/users", { headers: bearer }),
    "the API without a token": await ask("/api/users"),
    "the API, no such call": await ask("/api/nothing"),
    "the API's description": await ask("/api/openapi.json"),
    "a file of the API": await ask("/api/documents/1/sealed.pdf", { headers: bearer }),
    "a list as CSV": await see("/documents/list.csv"),
    "a QR code": await see("/files/documents/1/qrcode.png?download"),
    "a page file": await see("/files/documents/1/pages/1"),
    "a part of a file": await see("/files/documents/1/pages/1", { range: "bytes=0-9" }),
    "a part beyond a file": await see("/files/documents/1/pages/1", { range: "bytes=999999999-" }),
    "a thumbnail": await see("/files/documents/1/pages/1/thumbnail"),
    "a sealed PDF": await see("/files/documents/1/sealed.pdf"),
    "a picture that is missing": await see("/files/users/1/image"),
    "a file of strangers": await ask("/files/documents/1/pages/1"),
    "an address that can't be read": await ask("/%E0%A4%A"),
    "a host that can't be read": await ask("/login", { headers: { host: "[" } }),
    "another host": await ask("/login", { headers: { host: "evil.example" } }),
    "another host of the API": await ask("/api/openapi.json", { headers: { host: "evil.example" } }),
    "a method of nobody": await ask("/login", { method: "PROPFIND" }),
    "a method that echoes": await ask("/login", { method: "TRACE" }),
    "a question about methods": await ask("/login", { method: "OPTIONS" }),
  };
}

/** Directives of a policy by name. */
const directives = (policy: string) =>
  new Map(policy.split("; ").map((part) => [part.split(" ")[0]!, part.split(" ").slice(1)]));

/** What other sites may read. */
const isForOtherSites = (what: string) => ["keys of seals", "status lists", "root certificates"].includes(what);

function check(what: string, { status, headers }: RawAnswer, isSecure: boolean) {
  const label = `${what} (${status})`;
  expect(headers["x-content-type-options"], label).toBe("nosniff");
  const isOfCode = what === "the page behind a code" || what === "a code that is none";
  const hasCode = isOfCode || what === "a stranger's form from another site";
  expect(headers["referrer-policy"], label).toBe(hasCode ? "strict-origin" : "strict-origin-when-cross-origin");
  expect(headers["cross-origin-opener-policy"], label).toBe("same-origin");
  expect(headers["cross-origin-resource-policy"], label).toBe(isForOtherSites(what) ? "cross-origin" : "same-origin");
  expect(headers["access-control-allow-origin"], label).toBe(isForOtherSites(what) ? "*" : undefined);
  const permissions = isOfCode ? "=\\(self\\)" : "=\\(\\)";
  expect(headers["permissions-policy"], label).toMatch(new RegExp(`(^|, )geolocation${permissions}`));
  expect(headers["strict-transport-security"], label).toBe(isSecure ? "max-age=31536000" : undefined);
  expect(headers["x-powered-by"], label).toBeUndefined();
  const policy = headers["content-security-policy"] as string;
  expect(policy, label).not.toMatch(/unsafe|\*|,/);
  expect(directives(policy).get("frame-ancestors"), label).toEqual(["'none'"]);
  const isPage = policy.includes("nonce-");
  if (isPage) expect(headers["content-type"], label).toBe("text/html; charset=utf-8");
  else expect(directives(policy).has("sandbox"), label).toBe(true);
  return isPage;
}

for (const publicUrl of [undefined, "https://desk.sealdesk.example"]) {
  test(`every kind of reply has its security headers, ${publicUrl ? "behind HTTPS" : "on localhost"}`, async () => {
    const env = { METRICS_TOKEN: metricsToken, LOG_LEVEL: "silent", ...(publicUrl && { PUBLIC_URL: publicUrl }) };
    const server = await startServer({ from: sampleData, env });
    const replies = await everyKind(server.url, publicUrl ?? server.url);
    const pages = Object.entries(replies).filter(([what, reply]) => check(what, reply, publicUrl !== undefined));
    expect(pages.map(([what]) => what)).toEqual(
      expect.arrayContaining(["a page", "an unknown page", "a form from another site", "a form that is too large"]),
    );
    const statuses = Object.fromEntries(Object.entries(replies).map(([what, { status }]) => [what, status]));
    expect(statuses).toMatchObject({
      "a form where there is none": 405,
      "what is packed": 415,
      "an icon that is known": 304,
      "figures without a token": 401,
      figures: 200,
      "a list as CSV": 200,
      "a part beyond a file": 416,
      "an address that can't be read": 404,
      "a host that can't be read": 421,
      "another host": 421,
      "another host of the API": 421,
      "a method of nobody": 405,
      "a method that echoes": 405,
      "a question about methods": 405,
    });
    // What is for saving is offered for saving.
    for (const what of ["a list as CSV", "a QR code", "a sealed PDF", "a page file"]) {
      expect(replies[what]!.headers["content-disposition"], what).toMatch(/^attachment/);
    }
    expect(replies["an unknown page"]!.headers["cache-control"]).toBe("private, no-store");
    // Its name changes with what it says.
    expect(replies["a style sheet"]!.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    await server.stop();
  });
}

test("the page about an unreachable provider has them too", async () => {
  const env = { PROVIDER_URL: `http://127.0.0.1:${await freePort()}`, LOG_LEVEL: "silent" };
  const server = await startServer({ env });
  const body = "email=olive@trent.example&password=correct+horse+battery";
  const headers = { origin: server.url, "content-type": "application/x-www-form-urlencoded" };
  const answer = await raw(`${server.url}/login`, { method: "POST", headers, body });
  expect(answer.status).toBe(502);
  expect(check("a failure", answer, false)).toBe(true);
  await server.stop();
});

test("an image/HTML polyglot is re-encoded and inert", async ({ page }) => {
  const server = await startServer({ from: sampleData });
  const client = await signInClient(server.url);
  const script = "<html><script>document.title = 'ran'</script></html>";
  const polyglots = [await picture("a.png"), await picture("b.jpg")].map((file) =>
    asUpload({ ...file, buffer: Buffer.concat([file.buffer, Buffer.from(script)]) }),
  );
  const draft = await startDraft(client, "Two in one");
  await addPages(client, draft, polyglots);
  const document = await create(client, draft);
  const id = /\d+$/.exec(document)![0];
  await page.context().addCookies([browserCookie(client)]);
  const paths = [1, 2].flatMap((n) => [`pages/${n}`, `pages/${n}/thumbnail`]);
  for (const path of [...paths, "qrcode.png", "sealed.pdf"]) {
    const answer = await raw(`${server.url}/files/documents/${id}/${path}`, { headers: { cookie: client.cookie } });
    expect(answer.status, path).toBe(200);
    expect(answer.headers["content-type"], path).toMatch(/^(image\/(png|jpeg|webp)|application\/pdf)$/);
    check(path, answer, false);
    expect(answer.body.includes("<script"), path).toBe(false);
  }
  await page.goto(`${server.url}/files/documents/${id}/pages/1/thumbnail`);
  expect(await page.title()).not.toBe("ran");
  await server.stop();
});

for (const [name, content] of [
  ["drawing.png", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["page.pdf", "<!DOCTYPE html><script>alert(1)</script>"],
] as const) {
  test(`${name} is rejected as an image`, async () => {
    const server = await startServer({ from: sampleData });
    const client = await signInClient(server.url);
    const draft = await startDraft(client, "Not to be");
    const form = new FormData();
    form.set("intent", "add");
    form.append("files", new File([content], name));
    const answer = await client.post(`${draft}/pages`, form);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toMatch(/is an SVG drawing|is a web page/);
    await server.stop();
  });
}
