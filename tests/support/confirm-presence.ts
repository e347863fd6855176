import { expect, type Page } from "@playwright/test";
import { signIn } from "./sample.ts";

/** Shows at `/confirm` that it is still the user, by the password that all users of the sample have; a wrong one first. */
export async function confirmPresence(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm that it is you");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alert")).toContainText("The password is not right");
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Confirm" }).click();
}
