import { addGroup, addMember, rowOf } from "../support/access-groups.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the rights of another group fill the form of a new one", async ({ page }) => {
  await page.goto("/users/roles");
  await page.getByRole("link", { name: "Copy Branch Inspector" }).click();
  await expect(page.getByLabel("Copy the rights of").locator("option:checked")).toHaveText("Branch Inspector");
  await expect(page.getByLabel("Scope for Docs")).toHaveValue("branch");
  await expect(page.getByLabel("Docs: Write")).not.toBeChecked();
  await expect(page.getByLabel("Name")).toHaveValue("");
  await page.getByLabel("Copy the rights of").selectOption("Accountant");
  await page.getByRole("button", { name: "Copy rights" }).click();
  await expect(page.getByLabel("Docs: Write")).toBeChecked();
  await page.getByLabel("Copy the rights of").selectOption("Read only everywhere");
  await page.getByRole("button", { name: "Copy rights" }).click();
  await expect(page.getByLabel("Docs: Write")).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /: Read$/, checked: true })).toHaveCount(8);
  await page.getByLabel("Copy the rights of").selectOption("Accountant");
  await page.getByRole("button", { name: "Copy rights" }).click();
  await expect(page.getByLabel("Docs: Write")).toBeChecked();
  const name = uniqueName("Bookkeepers");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add access group" }).click();
  await expect(rowOf(page, name).getByRole("cell").nth(0)).toContainText("read, write, create");
});

test("an access group's members are counted in the list, and named on its page", async ({
  page,
  signInAs,
  context,
}) => {
  const name = uniqueName("Gardeners");
  await addGroup(page, name);
  const member = await addMember(page, name);
  await page.goto("/users/roles");
  await rowOf(page, name)
    .getByRole("link", { name: `1 member of ${name}` })
    .click();
  await expect(page.getByRole("table", { name: "Members" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: member.name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(member.name);

  // Who may not change access groups reads them.
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/users/roles");
  await rowOf(page, name).getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText("see all documents of the company")).toBeVisible();
  await expect(page.getByRole("button", { name: /group/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Members", exact: true }).click();
  await expect(page.getByRole("link", { name: member.name, exact: true })).toBeVisible();
});
