import type { Page } from "@playwright/test";
import { signInClient } from "./form-client.ts";
import { expect, uniqueName } from "./journey.ts";
import { mailsIn } from "./mails.ts";
import { notice } from "./page-parts.ts";
import { signIn } from "./sample.ts";
import { until } from "./server.ts";

export const userPassword = "a password of some length";

/** Adds a user by the form, with a password or else invited, and opens their page. */
export async function addUser(page: Page, name: string, { password = "", group = "Accountant" } = {}) {
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Access group").selectOption(group);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(notice(page, `${name} was added`)).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  return email;
}

/** The message that a server wrote to an address, once it is there. */
export async function mailTo(data: string, email: string) {
  const find = () => mailsIn(data).find((mail) => mail.includes(`To: ${email}`));
  await until(() => find() !== undefined, `the mail to ${email}`);
  return find()!;
}

/** A colleague of the sample's users with the same password, and the address of their page. */
export async function newColleague(url: string) {
  const name = uniqueName("Sid Session");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  const client = await signInClient(url);
  const { password } = signIn;
  const form = { name, email, staff: "Accountant", password, password_confirmation: password, intent: "save" };
  expect((await client.post("/users/new", form)).status).toBe(302);
  const list = await (await client.get(`/users/list?name=${encodeURIComponent(name)}`)).text();
  return { name, email, password, page: /\/users\/view\/\d+/.exec(list)![0] };
}
