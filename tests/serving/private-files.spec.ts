import { expect, test } from "../support/serving.ts";
import { addPages, codeOf, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";
import { type TestServer } from "../support/server.ts";

/** What browsers keep of private files, and of anything once its user has signed out. */
test.use({ serverEnv: {} });

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

test("browsers may cache no file that is not open to all", async ({ server, client }) => {
  const { token } = await signInOverHttp(server.url);
  const headers = { authorization: `Bearer ${token}` };
  await bringPictures(server, headers);
  const document = await startDraft(client, "Open", { access_type: "Open to all" });
  await addPages(client, document, [asUpload(await picture("page.png"))]);
  const issued = await create(client, document);
  const draft = await startDraft(client, "Private");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const ofDraft = /\/files\/drafts\/[^"?]+/.exec(await (await client.get(`${draft}/pages`)).text())![0];
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
    const answer = await client.get(path);
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
  const open = await client.anonymous.get(`/v/${await codeOf(client, issued)}/pages/1`);
  expect([open.status, open.headers.get("cache-control")]).toEqual([200, "private, max-age=60"]);
});

test("signing out clears the browser's cache and storage of this site, with and without scripts", async ({
  server,
}) => {
  for (const path of ["/logout", "/logout.data"]) {
    const client = await signInClient(server.url);
    const answer = await client.post(path, {});
    expect([path, answer.headers.get("clear-site-data")]).toEqual([path, '"cache", "storage"']);
    // The theme and the browser's token are no secrets of the session, so cookies are not cleared as a whole.
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["sealdesk"]);
  }
});
