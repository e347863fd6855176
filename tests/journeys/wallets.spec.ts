import type { Page } from "@playwright/test";
import { toBuffer } from "qrcode";
import { foreignWallets } from "../support/foreign-wallets.ts";
import { expect, test } from "../support/journey.ts";
import { main, notice } from "../support/page-parts.ts";
import { sentDocument } from "../support/recipients.ts";
import { issued, verdict } from "../support/visitor.ts";

// Of its own, as wallets are turned on for the company.
test.use({ serverEnv: {} });

const fetchCredential = foreignWallets["@openid4vc/openid4vci"];

async function turnOn(page: Page, ...fields: string[]) {
  await page.goto("/settings");
  await main(page).getByRole("link", { name: "Wallets" }).click();
  await page.getByLabel("Documents can be added to wallets").check();
  for (const field of fields) await page.getByRole("checkbox", { name: field, exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Documents can be added to wallets now")).toBeVisible();
}

test("staff offer a document to a wallet, and a visitor checks what its holder shows", async ({
  page,
  signInAs,
  server,
}) => {
  const { path, number, code } = await issued(server.url);
  await signInAs();
  await page.goto(path);
  await expect(page.getByRole("link", { name: "Add to a wallet" }), "off at first").toHaveCount(0);
  await turnOn(page, "Type", "Verification code");
  await page.goto(`${path}/wallet`);
  await page.getByRole("button", { name: "Make an offer" }).click();
  await expect(page.getByRole("img", { name: "QR code of the offer" })).toBeVisible();
  const offer = await page.getByRole("link", { name: "Open in a wallet on this device" }).getAttribute("href");
  const credential = await fetchCredential(offer!);

  await page.goto("/v");
  await page.getByRole("link", { name: "Check a document from a wallet" }).click();
  const check = async (text: string) => {
    await page.getByLabel("Credential").fill(text);
    await page.getByRole("button", { name: "Check document" }).click();
  };
  await check(credential);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(main(page)).toContainText(number);
  await expect(main(page)).toContainText(code);
  await page.goto("/v/credential");
  const read = async (buffer: Buffer) => {
    await page.getByLabel("Picture of its QR code").setInputFiles({ name: "qr.png", mimeType: "image/png", buffer });
    await page.getByRole("button", { name: "Read picture" }).click();
  };
  await read(await toBuffer("https://seals.example/v/4C7H29KD3P172XQ08"));
  await expect(page.getByLabel("Picture of its QR code")).toHaveAccessibleDescription(/No QR code of a credential/);
  await read(await toBuffer(credential, { errorCorrectionLevel: "L" }));
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(main(page)).toContainText(code);
  await check(`${credential.split("~")[0]}~`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(main(page)).not.toContainText(code);
  await expect(main(page).getByText("Type", { exact: true })).toHaveCount(0);
  await check(credential.replace("eyJ", "eyK"));
  await expect(page.getByLabel("Credential")).toHaveAccessibleDescription(/was altered/);
});

test("a holder adds a document that was sent to a wallet, once, until it is withdrawn", async ({ page, server }) => {
  const { client, path, number, link } = await sentDocument(server);
  await client.post("/settings/wallet", { active: "1" });
  await page.goto(link);
  await page.getByRole("button", { name: "Open the document" }).click();
  const add = page.getByRole("button", { name: "Add to a wallet" });
  await add.click();
  await expect(page.getByRole("img", { name: "QR code of the offer" })).toBeVisible();
  const offer = await page.getByRole("link", { name: "Open in a wallet on this device" }).getAttribute("href");
  const credential = await fetchCredential(offer!);
  await expect(fetchCredential(offer!)).rejects.toThrow();
  await page.getByRole("link", { name: "Open the document" }).click();
  await expect(main(page)).toContainText(number);
  await client.post(path, { intent: "exit", reason: "1" });
  await add.click();
  await expect(page.getByRole("alert")).toHaveText("This document can’t be added to a wallet now.");
  await page.getByRole("link", { name: "Open the document" }).click();
  await expect(verdict(page)).toHaveText("No longer in force");
  await expect(add).toHaveCount(0);

  await page.goto("/v/credential");
  await page.getByLabel("Credential").fill(credential);
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(verdict(page)).toHaveText("No longer in force");
});
