import { expect, test } from "../support/journey.ts";
import { fact, main, notice } from "../support/page-parts.ts";

// A server of its own: other journeys read the company's name.
test.use({ serverEnv: {} });

test("the company profile is edited in place, and the frame shows the new name at once", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/branches/profile");
  await page.getByRole("link", { name: "Edit profile" }).click();
  await expect(page).toHaveURL("/branches/profile?edit");
  await main(page).getByRole("link", { name: "My profile" }).click();
  await expect(page).toHaveURL("/branches/profile");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Company profile");
  await page.getByRole("link", { name: "Edit profile" }).click();
  await page.getByLabel("Name").fill("");
  await page.getByLabel("Email").fill("office");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the name",
    "Enter an email address like name@company.example",
  ]);
  await expect(page.getByLabel("Email")).toHaveValue("office");
  await page.getByLabel("Name").fill("Hallam, Reid & Daughters");
  await page.getByLabel("Email").fill("");
  await page.getByLabel("Time zone").selectOption("Europe/Dublin");
  await page.getByLabel("Language").selectOption("German");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Company profile: changes saved")).toBeVisible();
  await expect(page).toHaveURL("/branches/profile");
  await expect(page.getByRole("banner")).toContainText("Hallam, Reid & Daughters");
  await expect(fact(page, "Time zone")).toHaveText("Europe/Dublin");
  await expect(fact(page, "Language")).toHaveText("German");
  await page.getByRole("link", { name: "Edit profile" }).click();
  await page.getByLabel("Name").fill("Another name");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(fact(page, "Name")).toHaveText("Hallam, Reid & Daughters");
});
