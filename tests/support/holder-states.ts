import type { Page } from "@playwright/test";
import type { Language } from "#lib/messages/languages.ts";
import { codeFor, sentDocument, sentToAnother } from "./recipients.ts";
import type { TestServer } from "./server.ts";

type HolderState = { name: string; open(page: Page, language: Language): Promise<void> };

let addresses = 0;
const by = (language: Language, path: string) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

/** What holders meet to whom a document was sent. */
export async function holderStates(server: TestServer): Promise<HolderState[]> {
  const open = (name: string, path: string): HolderState => ({
    name,
    open: async (page, language) => void (await page.goto(by(language, path))),
  });
  const sent = await sentDocument(server);
  const turnWallets = (active: string) => sent.client.post("/settings/wallet", { active });
  await turnWallets("1");
  const visit = async (page: Page, language: Language, link = sent.link) => {
    await page.goto(by(language, link));
    await page.locator("main [type=submit]").click();
  };
  // An address gets ten codes an hour.
  const askForCode = async (page: Page, language: Language, email = `nobody${++addresses}@recipient.example`) => {
    await page.goto(by(language, "/received"));
    await page.locator("[name=email]").fill(email);
    await page.locator("main [type=submit]").click();
  };
  return [
    open("link to a document", sent.link),
    open("dead link to a document", "/received/open?token=dead"),
    { name: "document of a holder", open: visit },
    {
      name: "document offered to a wallet",
      async open(page, language) {
        await visit(page, language);
        await page.locator("form[action*=wallet] button").click();
      },
    },
    {
      name: "wallet refused",
      async open(page, language) {
        await visit(page, language);
        await turnWallets("");
        await page.locator("form[action*=wallet] button").click();
        await turnWallets("1");
      },
    },
    open("address to be typed", "/received"),
    {
      name: "address refused",
      async open(page, language) {
        await page.goto(by(language, "/received"));
        await page.locator("main [type=submit]").click();
      },
    },
    { name: "code to be typed by a holder", open: askForCode },
    {
      name: "code refused",
      async open(page, language) {
        await askForCode(page, language);
        await page.locator("[name=code]").fill("12345");
        await page.locator("main [type=submit]").click();
      },
    },
    {
      name: "documents of a holder",
      async open(page, language) {
        const email = sentToAnother(server, sent.email);
        await askForCode(page, language, email);
        await page.locator("[name=code]").fill(await codeFor(server, email));
        await page.locator("main [type=submit]").click();
        // Another test of this server may have sent one to the same address.
        await page.locator("main ul a").first().waitFor();
      },
    },
  ];
}
