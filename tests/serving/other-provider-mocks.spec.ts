import type { Browser } from "@playwright/test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserCookie, type FormClient, signInClient } from "../support/form-client.ts";
import { type Fault, faults } from "../support/hostile-replies.ts";
import { expect, test as base } from "../support/journey.ts";
import { type MockedProvider, startMockedProvider } from "../support/mocked-provider.ts";
import { addressOf, builtRoutes } from "../support/routes.ts";
import { startServer } from "../support/server.ts";

/**
 * All pages in front of mocks that Prism makes of our own OpenAPI document: of its static examples, and of values that are
 * others each time. Their replies are used as they are, and with faults of one kind in each value.
 */

type Mocks = { openApi: string; fixed: MockedProvider; dynamic: MockedProvider };
type Opened = { path: string; status: number; text: string };

const test = base.extend<object, Mocks>({
  openApi: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "sealdesk-openapi-"));
      const own = await startServer();
      const path = join(folder, "openapi.json");
      writeFileSync(path, await (await fetch(`${own.url}/api/openapi.json`)).text());
      await own.stop();
      await use(path);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  fixed: [
    async ({ openApi }, use) => {
      const mocked = await startMockedProvider(openApi, false);
      await use(mocked);
      await mocked.stop();
    },
    { scope: "worker" },
  ],
  dynamic: [
    async ({ openApi }, use) => {
      const mocked = await startMockedProvider(openApi, true);
      await use(mocked);
      await mocked.stop();
    },
    { scope: "worker" },
  ],
});

const minutes = 3_600_000;
const email = "olive@trent.example";
const notPages = ["/logout", "/api/*", "/scim/v2/*", "/metrics"];
const addresses = builtRoutes()
  .map(({ pattern }) => pattern)
  .filter((pattern) => !notPages.includes(pattern))
  .map(addressOf);

/** One page of a kind is enough: ids and searched words are alike. */
const kindOf = (path: string) => {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const state = [...searchParams].map(([name, value]) =>
    /^(tab|dialog|edit|list|act)$/.test(name) ? `${name}=${value}` : name,
  );
  return [pathname.replace(/\d+|[\w-]{17,}/g, "1"), ...state.toSorted()].join(" ");
};

/** Opens every route, and every link of theirs that leads to a page of another kind. */
async function openAll(client: FormClient): Promise<Opened[]> {
  const queue = [...addresses];
  const kinds = new Set(queue.map(kindOf));
  const opened: Opened[] = [];
  for (let path = queue.shift(); path; path = queue.shift()) {
    const reply = await client.get(path);
    const text = await reply.text();
    opened.push({ path, status: reply.status, text });
    if (!reply.headers.get("content-type")?.startsWith("text/html")) continue;
    for (const [, link] of text.matchAll(/ (?:href|src)="(\/(?!assets|api|log(?:in|out))[^"#]*)/g)) {
      const next = link!.replaceAll("&amp;", "&");
      if (kinds.size === kinds.add(kindOf(next)).size) continue;
      queue.push(next);
    }
  }
  return opened;
}

/** Of records alone pages may say that the provider's answer could not be understood. */
const lists = [
  "/dashboard",
  "/users/list",
  "/documents/list",
  "/documents/archive",
  "/branches/list",
  "/alerts",
  "/webhooks",
  "/profile/api-keys",
  "/help",
  "/tariffs",
];

/** 501: the mock lacks it. */
const isFailed = ({ path, status, text }: Opened, fault: Fault) => {
  if (text.includes("Something went wrong") || status === 500) return true;
  if (fault === "none" || lists.includes(path)) return status > 501;
  return status > 501 && !/could not be understood|Cannot check now/.test(text);
};

/** With one kind of fault after the other, what failed. */
async function failuresOf(mocked: MockedProvider, chosen: Fault[]): Promise<string[]> {
  const server = await startServer({ env: { PROVIDER_URL: mocked.url } });
  const failed: string[] = [];
  for (const fault of chosen) {
    mocked.fault = fault;
    const pages = await openAll(await signInClient(server.url, { email, password: email }));
    expect(pages.length).toBeGreaterThan(150);
    failed.push(
      ...pages.filter((page) => isFailed(page, fault)).map(({ path, status }) => `${fault}: ${status} ${path}`),
    );
  }
  await server.stop();
  return failed;
}

/** With scripts, each page of a route. */
async function scriptFailuresOf(mocked: MockedProvider, browser: Browser, chosen: Fault[]): Promise<string[]> {
  const server = await startServer({ env: { PROVIDER_URL: mocked.url } });
  const context = await browser.newContext({ baseURL: server.url });
  const failed: string[] = [];
  for (const fault of chosen) {
    mocked.fault = fault;
    await context.addCookies([browserCookie(await signInClient(server.url, { email, password: email }))]);
    const page = await context.newPage();
    let path = "";
    page.on("pageerror", ({ message }) => failed.push(`${fault}: ${path}: ${message}`));
    for (path of addresses.filter(
      (address) => !/^\/(files|seals|\.well-known|calendar|theme|check)|\.csv$/.test(address),
    )) {
      // Files are downloaded in place of a page.
      await page.goto(path).catch(() => {});
      if ((await page.getByText("Something went wrong").count()) > 0) failed.push(`${fault}: ${path}`);
    }
    await page.close();
  }
  await context.close();
  await server.stop();
  return failed;
}

for (const examples of ["fixed", "dynamic"] as const) {
  test(`no page fails in front of a mock with ${examples} examples, whatever is in them`, async ({
    fixed,
    dynamic,
  }) => {
    test.setTimeout(minutes);
    expect(await failuresOf({ fixed, dynamic }[examples], faults)).toEqual([]);
  });

  test(`no script fails in front of a mock with ${examples} examples`, async ({ fixed, dynamic, browser }) => {
    test.setTimeout(minutes);
    expect(await scriptFailuresOf({ fixed, dynamic }[examples], browser, faults)).toEqual([]);
  });
}
