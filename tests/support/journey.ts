import { test as base, expect, type Page } from "@playwright/test";
import { signIn } from "./sample.ts";
import { type Storage, startSample } from "./sample-server.ts";
import { outputs, type TestServer } from "./server.ts";

/** How many characters of servers' output a failure shows. */
const maxAttached = 20_000;

type Fixtures = {
  /** Signs in without opening a page: Helen Marsh, unless another of the sample's users is named. */
  signInAs(email?: string): Promise<void>;
  /** Whether scripts run in this project. */
  hasScripts: boolean;
  /** Whether scripts that are on come: they may be blocked, or gone since an upgrade. */
  scriptsArrive: boolean;
  /** Whether `goto` and `reload` wait until scripts have taken the page over. */
  waitsForScripts: boolean;
  /** Attaches the output of servers to a failed test. */
  attachesOutput: void;
};

type WorkerFixtures = {
  /** A server with the sample company. */
  server: TestServer;
  storage: Storage;
  /** Settings of the server. A file that sets them with `test.use`, even to none, gets a server of its own. */
  serverEnv: Record<string, string>;
};

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
  scriptsArrive: [true, { option: true }],
  hasScripts: ({ javaScriptEnabled, scriptsArrive }, use) => use((javaScriptEnabled ?? true) && scriptsArrive),
  context: async ({ context, scriptsArrive }, use) => {
    if (!scriptsArrive) await context.route(scripts, (route) => route.fulfill({ status: 404 }));
    await use(context);
  },
  attachesOutput: [
    async ({}, use, testInfo) => {
      outputs.length = 0;
      await use();
      const body = outputs
        .map((output) => output())
        .join("\n")
        .slice(-maxAttached);
      if (body && testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach("servers' output", { contentType: "text/plain", body });
      }
    },
    { auto: true },
  ],
  page: async ({ page, waitsForScripts }, use, testInfo) => {
    const errors = watchErrors(page);
    if (waitsForScripts) waitForScripts(page);
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach("page", { contentType: "text/plain", body: await describePage(page) });
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

/** Addresses of the app's scripts. */
export const scripts = /\/(assets|check-files)\/[^?]*\.js$/;

/** Makes the page's `goto` and `reload` wait until its scripts, if any, have taken it over. */
function waitForScripts(page: Page) {
  // The router takes scrolling over from the browser as soon as it runs.
  const isTakenOver = () => !document.querySelector("script[type=module]") || history.scrollRestoration === "manual";
  for (const go of ["goto", "reload"] as const) {
    const original = page[go].bind(page) as (...args: unknown[]) => ReturnType<Page["goto"]>;
    page[go] = async (...args: unknown[]) => {
      const response = await original(...args);
      await page.waitForFunction(isTakenOver);
      return response;
    };
  }
}

/** Collects exceptions, violations of the content security policy and failed requests. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => {
    // Chromium's messages if the user leaves a page whose data is still arriving.
    const left = ["BodyStreamBuffer was aborted", "signal is aborted without reason"];
    if (!left.includes(message)) errors.push(message);
  });
  page.on("console", (message) => {
    // Chromium logs each of these statuses: right for a refusal or an unsupported call, while 500 is our error.
    const isStatus =
      /^Failed to load resource: (the server responded with a status of (4\d\d|50[124])|net::ERR_INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    if (["error", "warning"].includes(message.type()) && !isStatus) errors.push(message.text());
  });
  return errors;
}

/** Returns a page's address and the text of its main part. */
async function describePage(page: Page): Promise<string> {
  const main = page.getByRole("main").first();
  const text = (await main.isVisible()) ? await main.innerText() : "nothing";
  return `${page.url()}: ${text.replace(/\s+/g, " ")}`;
}

let names = 0;

/** A name that no other test of this run uses. */
export const uniqueName = (name: string) => `${name} ${process.pid}-${++names}`;
