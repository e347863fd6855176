import type { Page } from "@playwright/test";
import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { addBranch, openBranch } from "../support/branches.ts";
import { dialog, fact, main, notice } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** Searches for users in the dialog and waits for the result. */
async function search(page: Page, text: string) {
  await dialog(page).getByLabel("Name or email").fill(text);
  await dialog(page).getByRole("button", { name: "Search" }).click();
  await expect(dialog(page).getByRole("group", { name: "Found" })).toBeVisible();
}

test.describe("adding a user to a branch", () => {
  test("finds users by name or email, and moves them", async ({ page, server }) => {
    const [name, other] = [uniqueName("Zennor to fill"), uniqueName("Zennor to move to")];
    await addBranch(page, name);
    await addBranch(page, other);
    const user = uniqueName("Otis Oakden");
    const email = `${user.replace(/\W+/g, "-")}@hallam.example`;
    const client = await signInClient(server.url);
    await client.post("/users/new", { name: user, email, branch: "Preston", staff: "Accountant" });
    await openBranch(page, "View", name);
    await page.getByRole("link", { name: "Add user to branch" }).click();
    await search(page, "PRIYA@");
    await expect(dialog(page).getByRole("radio")).toHaveCount(1);
    await search(page, user.slice(2).toUpperCase());
    await expect(dialog(page)).toContainText(`${email}, in`);
    await expect(dialog(page).getByLabel(user), "the only one found").toBeChecked();
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    await expect(notice(page, `${user} was moved to ${name}`)).toBeVisible();
    await expect(page).toHaveURL(/\/branches\/view\/\d+\?tab=users/);
    for (const heading of ["Name", "Email", "Role", "Actions"]) {
      await expect(page.getByRole("columnheader", { name: heading })).toBeVisible();
    }
    await expect(page.getByText("1 - 1 of 1")).toBeVisible();
    await expect(page.getByRole("link", { name: `Edit ${user}` })).toBeVisible();
    await page.getByRole("link", { name: `Info ${user}` }).click();
    await expect(fact(page, "Branch")).toHaveText(name);

    await openBranch(page, "View", other);
    await page.getByRole("link", { name: "Add user to branch" }).click();
    await search(page, "daniel@");
    await dialog(page).getByLabel("Name or email").fill(user.slice(2));
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Check that this is the user, then add");
    await expect(dialog(page).getByLabel(user)).toBeChecked();
    await dialog(page).getByRole("button", { name: "Add user" }).click();
    await expect(notice(page, `${user} was moved to ${other}`)).toBeVisible();
  });

  test("is disabled while the field is empty, and asks which user is meant", async ({ page, hasScripts }) => {
    await openBranch(page, "View", "Preston");
    await page.getByRole("link", { name: "Add user to branch" }).click();
    const add = dialog(page).getByRole("button", { name: "Add user" });
    const search = dialog(page).getByLabel("Name or email");
    if (hasScripts) {
      await expect(add).toBeDisabled();
      await search.fill("   ");
      await expect(add).toBeDisabled();
    } else {
      await add.click();
      await expect(dialog(page).getByRole("alert")).toHaveText("Enter the name or email of the user");
    }
    await search.fill("hallam");
    await expect(add).toBeEnabled();
    await add.click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Choose one of the users found");
    await expect(search).toHaveValue("hallam");
    await expect(dialog(page).getByLabel("Priya Nair")).toBeDisabled();
    await search.fill("nobody at all");
    await search.press("Enter");
    await expect(dialog(page)).toContainText("No user has “nobody at all” in their name or email.");
    await add.click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Enter the exact name or email of a user of your company");
    await dialog(page).getByRole("link", { name: "Cancel" }).click();
    await expect(dialog(page)).toHaveCount(0);
  });

  test("shows four users a page", async ({ page, server }) => {
    const name = uniqueName("Zennor in full");
    await addBranch(page, name);
    await openBranch(page, "View", name);
    const path = new URL(page.url()).pathname;
    const client = await signInClient(server.url);
    for (const letter of "ABCDE") {
      const email = `${letter}-${name.replace(/\W+/g, "-")}@hallam.example`;
      await client.post("/users/new", { name: `Zoe ${letter} of ${name}`, email, branch: name, staff: "Accountant" });
    }
    await page.goto(path);
    await main(page).getByRole("link", { name: "Users" }).click();
    await expect(page.getByText("1 - 4 of 5")).toBeVisible();
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByRole("link", { name: `Zoe E of ${name}`, exact: true })).toBeVisible();
    await expect(page.getByText("5 - 5 of 5")).toBeVisible();
  });
});
