import { expect, test as base } from "@playwright/test";
import { addPages, type Clerk, codeOf, create, signInOverHttp, startClerk, startDraft } from "../support/clerk.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What browsers keep of private files, and of anything once its user has signed out. */
const test = base.extend<{ clerk: Clerk }, { server: TestServer }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ from: sampleData });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  clerk: async ({ server }, use) => use(await startClerk(server.url)),
});

/** Puts a picture on the own profile, the company's and a branch's. */
async function bringPictures({ url }: TestServer, headers: Record<string, string>) {
  for (const path of ["/profile", "/company", "/branches/1"]) {
    const record = (await (await fetch(`${url}/api${path}`, { headers })).json()) as Record<string, unknown>;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...record, name: record.name ?? record.company_name })) {
      if (["string", "number"].includes(typeof value)) form.set(name, String(value));
    }
    form.set("email", String(record.email ?? signIn.email));
    form.set("image", asUpload(await picture("face.png")));
    const answer = await fetch(`${url}/api${path}`, { method: "PUT", body: form, headers });
    expect(answer.status, `${path}: ${await answer.clone().text()}`).toBe(200);
  }
}

test("browsers store no file that is not open to everybody", async ({ server, clerk }) => {
  const { token } = await signInOverHttp(server.url);
  const headers = { authorization: `Bearer ${token}` };
  await bringPictures(server, headers);
  const document = await startDraft(clerk, "Open", { access_type: "Open to all" });
  await addPages(clerk, document, [asUpload(await picture("page.png"))]);
  const issued = await create(clerk, document);
  const draft = await startDraft(clerk, "Private");
  await addPages(clerk, draft, [asUpload(await picture("page.png"))]);
  const ofDraft = /\/files\/drafts\/[^"?]+/.exec(await (await clerk.get(`${draft}/pages`)).text())![0];
  const files = ["pages/1", "pages/1/thumbnail", "sealed.pdf", "qrcode.png", "qrcode.png?download"];
  const pictures = ["users/1/image", "profile/image", "company/image", "branches/1/image"];
  const lists = ["branches/list", "users/list", "documents/list", "documents/archive", "alerts", "map", "audit"];
  const pages = [
    ofDraft,
    ...files.map((file) => `/files${issued}/${file}`),
    ...pictures.map((path) => `/files/${path}`),
    ...lists.map((list) => `/${list}.csv`),
  ];
  for (const path of pages) {
    const answer = await clerk.get(path);
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 200, "private, no-store"]);
    await answer.body?.cancel();
  }
  const number = issued.split("/").at(-1);
  const calls = [...pictures, `documents/${number}/pages/1`, `documents/${number}/sealed.pdf`];
  for (const path of calls) {
    const answer = await fetch(`${server.url}/api/${path}`, { headers });
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 200, "private, no-store"]);
    await answer.body?.cancel();
  }
  const open = await clerk.anonymous.get(`/v/${await codeOf(clerk, issued)}/pages/1`);
  expect([open.status, open.headers.get("cache-control")]).toEqual([200, "private, max-age=60"]);
});

test("signing out has the browser drop what it cached and stored of this site, with and without scripts", async ({
  server,
}) => {
  for (const path of ["/logout", "/logout.data"]) {
    const clerk = await startClerk(server.url);
    const answer = await clerk.post(path, {});
    expect([path, answer.headers.get("clear-site-data")]).toEqual([path, '"cache", "storage"']);
    // The theme and the browser's token are no secrets of the session, so cookies are not cleared as a whole.
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["sealdesk"]);
  }
});
