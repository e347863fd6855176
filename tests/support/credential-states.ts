import type { Page } from "@playwright/test";
import type { Language } from "#lib/messages/languages.ts";
import { payloadOf } from "../fixtures/credentials.ts";
import { credentialOf } from "./foreign-wallets.ts";
import { picture } from "./page-files.ts";
import type { TestServer } from "./server.ts";
import { inDatabase } from "./stored.ts";
import { issued } from "./visitor.ts";

type Issued = Awaited<ReturnType<typeof issued>>;

/** What strangers meet who check a document from a wallet: one in force, and one whose record is then deleted. */
export async function credentialStates(server: TestServer, [inForce, unknown]: [Issued, Issued]) {
  const ended = await issued(server.url);
  const credential = ({ client, path }: Issued) => credentialOf(client, path);
  const [ofInForce, ofUnknown, ofEnded] = [
    await credential(inForce),
    await credential(unknown),
    await credential(ended),
  ];
  const { idx } = payloadOf(ofUnknown).status.status_list as { idx: number };
  inDatabase(server, (database) => database.prepare("delete from wallet_credentials where idx = ?").run(idx));
  await ended.client.post(ended.path, { intent: "exit", reason: "1" });
  const state = (name: string, check: (page: Page) => Promise<unknown>) => ({
    name,
    async open(page: Page, language: Language) {
      await page.goto(`/v/credential?lang=${language}`);
      await check(page);
    },
  });
  const pasted = (name: string, text: string) =>
    state(name, async (page) => {
      await page.locator("textarea").fill(text);
      await page.locator("form:has(textarea) [type=submit]").click();
    });
  return [
    state("credential to be pasted", async () => {}),
    pasted("credential refused", "eyJ~"),
    pasted("credential in force", ofInForce),
    pasted("credential of a withdrawn document", ofEnded),
    pasted("credential that is not known", ofUnknown),
    state("picture without a credential", async (page) => {
      await page.locator("[type=file]").setInputFiles(await picture("page.png"));
      await page.locator("form:has([type=file]) [type=submit]").click();
    }),
  ];
}
