import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { main, notice } from "../support/page-parts.ts";
import { issued, verdict } from "../support/visitor.ts";

// Of its own, as wallets are turned on for the company.
test.use({ serverEnv: {} });

async function turnOn(page: Page, ...fields: string[]) {
  await page.goto("/settings");
  await main(page).getByRole("link", { name: "Wallets" }).click();
  await page.getByLabel("Documents can be added to wallets").check();
  for (const field of fields) await page.getByRole("checkbox", { name: field, exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Documents can be added to wallets now")).toBeVisible();
}

/** What a wallet does with an offer. */
async function fetchDocument(offer: string) {
  const { credential_issuer: issuer, grants } = JSON.parse(new URL(offer).searchParams.get("credential_offer")!);
  const [grant_type] = Object.keys(grants);
  const { origin, pathname } = new URL(issuer);
  const post = async (url: string, init: RequestInit = {}) => (await fetch(url, { method: "POST", ...init })).json();
  const wellKnown = async (name: string) => (await fetch(`${origin}/.well-known/${name}${pathname}`)).json();
  const [metadata, { token_endpoint }] = [
    await wellKnown("openid-credential-issuer"),
    await wellKnown("oauth-authorization-server"),
  ];
  const form = new URLSearchParams({ grant_type: grant_type!, ...grants[grant_type!] });
  const { access_token } = await post(token_endpoint, { body: form });
  const { c_nonce: nonce } = await post(metadata.nonce_endpoint);
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwt = await new SignJWT({ nonce, aud: issuer })
    .setIssuedAt()
    .setProtectedHeader({ alg: "ES256", typ: "openid4vci-proof+jwt", jwk: await exportJWK(publicKey) })
    .sign(privateKey);
  const { credentials } = await post(metadata.credential_endpoint, {
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ credential_configuration_id: "document", proofs: { jwt: [jwt] } }),
  });
  return credentials[0].credential as string;
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
  const credential = await fetchDocument(offer!);

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
  await check(`${credential.split("~")[0]}~`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(main(page)).not.toContainText(code);
  await expect(main(page).getByText("Type", { exact: true })).toHaveCount(0);
  await check(credential.replace("eyJ", "eyK"));
  await expect(page.getByLabel("Credential")).toHaveAccessibleDescription(/was altered/);
});
