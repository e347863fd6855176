import { test as base, expect, type Page } from "@playwright/test";
import { signIn } from "./sample.ts";
import { type Storage, startSample } from "./sample-server.ts";
import { printed, type TestServer } from "./server.ts";

/** Servers of their own print more than a list of failures should hold. */
const mostPrinted = 20_000;

/** What journeys have at hand: a server with the sample company for each worker, and a page that tolerates no error. */
type Fixtures = {
  /** Has somebody signed in, Helen Marsh unless another of the sample's users is named. No page is open then. */
  signInAs(email?: string): Promise<void>;
  /** Whether scripts run in this project. */
  hasScripts: boolean;
  /** Whether a page that is gone to is used only once its scripts have taken it over, in tests of what they add. */
  waitsForScripts: boolean;
  /** Shows what servers that a failed test has started printed. */
  showsPrinted: void;
};

type WorkerFixtures = { server: TestServer; storage: Storage; serverEnv: Record<string, string> };

export const test = base.extend<Fixtures, WorkerFixtures>({
  storage: ["sqlite-disk", { option: true, scope: "worker" }],
  serverEnv: [{}, { option: true, scope: "worker" }],
  server: [
    async ({ storage, serverEnv }, use) => {
      const server = await startSample(storage, serverEnv);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ server }, use) => use(server.url),
  waitsForScripts: [false, { option: true }],
  hasScripts: ({ javaScriptEnabled }, use) => use(javaScriptEnabled ?? true),
  showsPrinted: [
    async ({}, use, testInfo) => {
      printed.length = 0;
      await use();
      const body = printed
        .map((output) => output())
        .join("\n")
        .slice(-mostPrinted);
      if (body && testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach("servers printed", { contentType: "text/plain", body });
      }
    },
    { auto: true },
  ],
  page: async ({ page, waitsForScripts }, use, testInfo) => {
    const errors = watchErrors(page);
    if (waitsForScripts) waitForScripts(page);
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) {
      // The list of failures shows this, where nobody can open the browser any more.
      await testInfo.attach("the page said", { contentType: "text/plain", body: await saidBy(page) });
    }
    expect(errors, "errors in the browser's console").toEqual([]);
  },
  signInAs: async ({ context }, use) => {
    // The form as a browser without scripts posts it; `guest.spec.ts` fills it in by hand.
    await use(async (email = signIn.email) => {
      const form = { email, password: signIn.password };
      const answer = await context.request.post("/login", { form, maxRedirects: 0 });
      expect(answer.status()).toBe(302);
    });
  },
});

export { expect };

/** Has the page's `goto` and `reload` wait until its scripts have taken it over, if it has any. */
function waitForScripts(page: Page) {
  // The router takes scrolling over from the browser as soon as it runs.
  const taken = () => !document.querySelector("script[type=module]") || history.scrollRestoration === "manual";
  for (const go of ["goto", "reload"] as const) {
    const original = page[go].bind(page) as (...given: unknown[]) => ReturnType<Page["goto"]>;
    page[go] = async (...given: unknown[]) => {
      const response = await original(...given);
      await page.waitForFunction(taken);
      return response;
    };
  }
}

/** Collects what must not happen: exceptions, violations of the policy, requests that fail. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => {
    // What the browser says where somebody leaves a page for which data is still coming.
    if (message !== "BodyStreamBuffer was aborted") errors.push(message);
  });
  page.on("console", (message) => {
    // The browser's own note that a page came with such a status, which is right for what was refused, or what another's
    // provider can't do; 500 would be an error of ours.
    const isStatus =
      /^Failed to load resource: (the server responded with a status of (4\d\d|50[124])|net::ERR_INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    if (["error", "warning"].includes(message.type()) && !isStatus) errors.push(message.text());
  });
  return errors;
}

/** What a page shows first: its address and the beginning of its main part. */
async function saidBy(page: Page): Promise<string> {
  const main = page.getByRole("main").first();
  const words = (await main.isVisible()) ? await main.innerText() : "nothing";
  return `${page.url()}: ${words.replace(/\s+/g, " ")}`;
}

let made = 0;

/** A name that no other test of this run uses. */
export const uniqueName = (what: string) => `${what} ${process.pid}-${++made}`;
