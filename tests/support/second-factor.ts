import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { signInClient } from "./form-client.ts";
import { expect, uniqueName } from "./journey.ts";
import { signIn } from "./sample.ts";

/** What an authenticator app shows now, or a number of half minutes later: no code is accepted twice. */
export const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 });

/** A colleague of the sample's users with the same password, in an access group. */
export async function colleague(url: string, staff = "Accountant") {
  const name = uniqueName("Fay Factor");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  const client = await signInClient(url);
  const { password } = signIn;
  const form = { name, email, staff, password, password_confirmation: password, intent: "save" };
  expect((await client.post("/users/new", form)).status).toBe(302);
  const list = await (await client.get(`/users/list?name=${encodeURIComponent(name)}`)).text();
  return { name, email, password, page: /\/users\/view\/\d+/.exec(list)![0] };
}

/** Sets up an authenticator app on the open page about it. Returns the secret and the recovery codes. */
export async function setUp(page: Page) {
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await page.getByLabel("One-time code").fill(codeOf(secret));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Store your recovery codes");
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
  return { secret, codes };
}

/** Gives email and password on the sign-in page. */
export async function givePassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
