import type { Page } from "@playwright/test";
import type { Language } from "#lib/messages/languages.ts";
import { credentialStates } from "./credential-states.ts";
import { holderStates } from "./holder-states.ts";
import { picture } from "./page-files.ts";

import type { TestServer } from "./server.ts";
import { signedCode } from "./signed-codes.ts";
import { inDatabase } from "./stored.ts";
import { issued } from "./visitor.ts";

export { languages } from "#lib/messages/languages.ts";

/** What strangers can meet behind a code, in a language: each state's name and how a browser gets there. */
export type StrangerState = { name: string; open(page: Page, language: Language): Promise<void> };

const by = (language: Language, path: string) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

/** Issues the documents, once, and returns the states of their pages on a server with SQLite. */
export async function strangerStates(server: TestServer): Promise<StrangerState[]> {
  const [inForce, withdrawn, expired, replaced, signed] = [
    await issued(server.url),
    await issued(server.url),
    await issued(server.url),
    await issued(server.url),
    await signedCode(server),
  ];
  const newer = await issued(server.url);
  for (const { client, path } of [withdrawn, replaced]) await client.post(path, { intent: "exit", reason: "1" });
  inDatabase(server, (database) => {
    const set = (column: string, value: string) =>
      database.prepare<[string]>(`update documents set ${column} where code = ?`).run(value);
    set("expire_date = '2026-11-22'", expired.code);
    set("withdrawal_text = 'Superseded: ask us for the newer lease.'", withdrawn.code);
    const { id } = database
      .prepare<[string], { id: number }>("select id from documents where code = ?")
      .get(newer.code)!;
    set(`replaced_by_id = ${id}`, replaced.code);
  });
  const open = (name: string, path: string): StrangerState => ({
    name,
    open: async (page, language) => void (await page.goto(by(language, path))),
  });
  const form = `details:has([value=complaint])`;
  const complaint = async (page: Page, language: Language) => {
    await page.goto(by(language, `/v/${inForce.code}`));
    await page.locator(`${form} > summary`).click();
    await page.locator(`${form} button[type=submit]`).click();
  };
  const ofHolders = await holderStates(server);
  const ofCredentials = await credentialStates(server, [inForce, newer]);
  return [
    ...ofHolders,
    open("code to be typed", "/v"),
    open("no code typed", "/v?code="),
    ...ofCredentials,
    open("mistyped", "/v/12345"),
    open("not issued", "/v/00000000000000000"),
    open("in force", `/v/${inForce.code}`),
    open("withdrawn", `/v/${withdrawn.code}`),
    open("expired", `/v/${expired.code}`),
    open("replaced", `/v/${replaced.code}`),
    open("newer version", `/v/${replaced.code}/newer`),
    open("other paper", `/v/${inForce.code}?number=NM-WRONG`),
    open("signed, confirmed", `/v/${signed.code}/${signed.digits}`),
    open("signed, altered", `/v/${signed.code}/${signed.altered}`),
    open("signed, contradicting", `/v/${signed.code}/${await signed.digitsOf({ pages: 12 })}`),
    open("file to be chosen", `/v/${inForce.code}/file`),
    {
      name: "no PDF",
      async open(page, language) {
        await page.goto(by(language, `/v/${inForce.code}/file`));
        const buffer = Buffer.from("Dear Sir or Madam");
        await page.locator("[type=file]").setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer });
        await page.locator("main [type=submit]").click();
      },
    },
    {
      name: "page file",
      async open(page, language) {
        await page.goto(by(language, `/v/${inForce.code}/file`));
        await page.locator("[type=file]").setInputFiles(await picture("page.png"));
        await page.locator("main [type=submit]").click();
      },
    },
    { name: "complaint refused", open: complaint },
    {
      name: "place refused",
      async open(page, language) {
        await page.goto(by(language, `/v/${withdrawn.code}`));
        await page.locator("form:has([value=location]) button[type=submit]").click();
      },
    },
    {
      name: "complaint received",
      async open(page, language) {
        await complaint(page, language);
        await page.locator("[name=text]").fill("The rent on the paper is another");
        await page.locator("form:has([value=complaint]) button[type=submit]").click();
      },
    },
  ];
}
