import { expect, test } from "@playwright/test";
import { signInClientPastNotice } from "../support/form-client.ts";
import { colleague } from "../support/quotas.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

/** A list that shows the same is rendered once; what it shows, and to whom, is decided by each request. */

const noncesIn = (html: string) => new Set([...html.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce));

test("the same list comes with its own nonce each time, and otherwise the same", async () => {
  const server = await startServer({ from: sampleData });
  try {
    const client = await signInClientPastNotice(server.url);
    const pages = [];
    for (let n = 0; n < 3; n++) {
      const answer = await client.get("/documents/list");
      const html = await answer.text();
      const [nonce, ...others] = noncesIn(html);
      expect(others).toEqual([]);
      expect(answer.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
      const servedAt = /navigation-(\d+)/.exec(html)![1]!;
      pages.push({ nonce, servedAt, html: html.replaceAll(nonce!, "").replaceAll(servedAt, "") });
    }
    expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(3);
    expect(new Set(pages.map(({ servedAt }) => servedAt)).size).toBe(3);
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
  } finally {
    await server.stop();
  }
});

test("a change, another theme and another user are shown at once", async () => {
  const server = await startServer({ from: sampleData });
  try {
    const client = await signInClientPastNotice(server.url);
    const list = async (cookie = client.cookie) =>
      (await fetch(`${server.url}/documents/list`, { headers: { cookie } })).text();
    const before = await list();
    const id = /\/documents\/(\d+)/.exec(before)![1]!;
    expect(before).toContain(`"/documents/${id}"`);
    expect((await client.post(`/documents/${id}`, { intent: "archive" })).status).toBe(302);
    expect(await list()).not.toContain(`"/documents/${id}"`);
    const chosen = await client.post("/theme", { theme: "dark", back: "/" });
    const theme = chosen.headers.get("set-cookie")!.split(";")[0]!;
    expect(await list(`${client.cookie}; ${theme}`)).toContain('data-theme="sealdesk-dark"');
    const other = await signInClientPastNotice(server.url, colleague);
    const theirs = await (await other.get("/documents/list")).text();
    const userIn = (html: string) => /<a[^>]* href="\/profile"[^>]*>[\s\S]*?<\/a>/.exec(html)![0];
    expect(userIn(theirs)).toContain("Aoife Byrne");
    expect(userIn(await list())).not.toContain("Aoife Byrne");
  } finally {
    await server.stop();
  }
});
