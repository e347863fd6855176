import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { addPages, codeOf, create, signInClient, startDraft } from "./form-client.ts";
import { uniqueName } from "./journey.ts";
import { asUpload, picture } from "./page-files.ts";

/** A stranger's phone; the tests' own browser says that it is a robot. */
export const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";

/** A document of its own for a test, its number, and the code in its QR. */
export async function issued(url: string, fields: Record<string, string> = {}) {
  const client = await signInClient(url);
  const name = uniqueName("Deed");
  const draft = await startDraft(client, name, fields);
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const path = await create(client, draft);
  const number = /NM-[0-9A-Z]{6}/.exec(await (await client.get(path)).text())![0];
  return { client, name, path, number, code: await codeOf(client, path) };
}

/** The verdict that the verification page shows. */
export const verdict = (page: Page) => page.getByRole("heading", { level: 1 });

/** What the desk sees of a document's alerts once one of a type is there, as the rules look at scans a little later. */
export async function alertsOf(page: Page, name: string, signInAs: () => Promise<void>, type = "") {
  await signInAs();
  const hasAlert = async () => {
    await page.goto(`/alerts?name=${encodeURIComponent(name)}`);
    const rows = page.getByRole("table", { name: "Alerts" }).getByRole("row", { name: type });
    return rows
      .filter({ has: page.getByRole("rowheader") })
      .first()
      .isVisible();
  };
  await expect.poll(hasAlert, { message: "an alert", timeout: 60_000 }).toBe(true);
  return page.getByRole("table", { name: "Alerts" });
}

/** Scans a code at each place, by the public calls. */
export async function scanAt(request: APIRequestContext, url: string, code: string, places: object[]) {
  for (const place of places) {
    const reply = await request.post(`${url}/api/verify/${code}/scans`, { data: {} });
    const { scan } = (await reply.json()) as { scan: string };
    const located = await request.post(`${url}/api/verify/${code}/location`, {
      data: { scan, accuracy: 30, ...place },
    });
    expect(located.status()).toBe(204);
  }
}
