import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { addBranch, openBranch } from "../support/branches.ts";
import { dialog, fact, main, notice } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the company profile has its fields and the branches, in tabs with addresses of their own", async ({ page }) => {
  await page.goto("/branches");
  await expect(page).toHaveURL("/branches/profile");
  for (const [label, value] of [
    ["Name", "Hallam & Reid Ltd"],
    ["Email", "office@hallam.example"],
    ["Phone number", "+44 161 496 0100"],
    ["Country", "United Kingdom"],
    ["City", "Manchester"],
    ["Index", "M2 5DB"],
    ["Address", "14 Albert Square"],
    ["Active", "Yes"],
    ["Time zone", "Europe/London"],
  ] as const) {
    await expect(fact(page, label)).toHaveText(value);
  }
  await expect(fact(page, "Image")).toHaveText("HR");
  await main(page).getByRole("link", { name: "Branches" }).click();
  await expect(page).toHaveURL("/branches/profile?tab=branches");
  for (const name of ["Name", "Country", "City", "Actions"]) {
    await expect(page.getByRole("columnheader", { name })).toBeVisible();
  }
  await expect(main(page).getByRole("search")).toHaveCount(0);
  await page.getByRole("link", { name: "View Dublin Quay" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dublin Quay");
});

test("the list is filtered by name, country and city, and leads to each branch", async ({ page }) => {
  await page.goto("/branches/list");
  await expect(page.getByRole("row")).toHaveCount(6);
  for (const label of ["Name", "Country", "City"]) {
    await expect(page.getByRole("search").getByLabel(label, { exact: true })).toBeVisible();
  }
  await page.getByRole("search").getByLabel("Country").fill("IRE");
  await page.getByRole("search").getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await page.getByRole("link", { name: "View Dublin Quay" }).click();
  for (const [label, value] of [
    ["Email", "dublin@hallam.example"],
    ["City", "Dublin"],
    ["Index", "D01 W3P9"],
    ["Address", "6 North Wall Quay"],
    ["Manager", "Helen Marsh"],
  ] as const) {
    await expect(fact(page, label)).toHaveText(value);
  }
  await page.goto("/branches/list?city=nowhere");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("addresses without an id lead to the list, with one in the query to the branch", async ({ page }) => {
  for (const what of ["edit", "view"]) {
    await page.goto(`/branches/${what}`);
    await expect(page).toHaveURL("/branches/list");
    await page.goto(`/branches/${what}?id=1`);
    await expect(page).toHaveURL(`/branches/${what}/1`);
  }
  expect((await page.goto("/branches/view/4711"))?.status()).toBe(404);
});

test("the dashboard leads to the branches", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Preston", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Preston");
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "View all branches" }).click();
  await expect(page).toHaveURL("/branches/profile");
});

test("a branch is added, changed, and removed after confirming", async ({ page }) => {
  const name = uniqueName("Leyland");
  await page.goto("/branches/list");
  await main(page).getByRole("link", { name: "Add new branch" }).click();
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the name",
    "Enter the country",
    "Enter the city",
  ]);
  await page.getByLabel("Name").fill("LANCASTER");
  await page.getByLabel("Country").fill("United Kingdom");
  await page.getByLabel("City").fill("Leyland");
  await page.getByLabel("Address").fill("1 Hough Lane");
  await page.getByLabel("Manager").selectOption("Priya Nair");
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "A branch has this name already: choose another",
  ]);
  await expect(page.getByLabel("Address")).toHaveValue("1 Hough Lane");
  await expect(page.getByLabel("Manager").getByRole("option", { selected: true })).toHaveText("Priya Nair");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(page).toHaveURL("/branches/list");
  await expect(notice(page, `${name} was added`)).toBeVisible();

  await openBranch(page, "View", name);
  await expect(fact(page, "Manager")).toHaveText("Priya Nair");
  await main(page).getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Phone").fill("01772 496 001");
  await page.getByLabel("Manager").selectOption("No manager");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
  await openBranch(page, "View", name);
  await expect(fact(page, "Phone")).toHaveText("01772 496 001");
  await expect(fact(page, "Manager")).toHaveText("–");

  await openBranch(page, "Edit", name);
  await page.getByRole("button", { name: "Remove branch" }).click();
  await dialog(page).getByText("Cancel").click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Remove branch" }).click();
  await dialog(page).getByRole("button", { name: "Remove branch" }).click();
  await expect(notice(page, `${name} was removed`)).toBeVisible();
  await page.goto(`/branches/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.goto("/users/new");
  await expect(page.getByLabel("Branch", { exact: true }).getByRole("option", { name })).toHaveCount(0);
});

test("a branch in use is not removed, and names what uses it", async ({ page }) => {
  await openBranch(page, "Edit", "Liverpool Docks");
  await page.getByRole("button", { name: "Remove branch" }).click();
  await dialog(page).getByRole("button", { name: "Remove branch" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "Liverpool Docks can’t be removed yet. Move its 1 user (Tom Okafor) first. " +
      "Archive its 2 documents (NM-9KD3P1, NM-8RJ7C2) first.",
  );
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByLabel("Name")).toHaveValue("Liverpool Docks");
});

test("two users edit one branch: the second sees who saved first, and loses nothing", async ({ page, server }) => {
  const name = uniqueName("Zennor for two");
  await addBranch(page, name);
  await openBranch(page, "Edit", name);
  const edit = new URL(page.url()).pathname;
  const other = await signInClient(server.url, { email: "aoife@hallam.example", password: "seal-desk-demo" });
  const theirs = { name, country: "Ireland", city: "Leyland", address: "Their street", manager_id: "1", version: "1" };
  expect((await other.post(edit, { ...theirs, intent: "save" })).status).toBe(302);

  await page.getByLabel("City").fill("My city");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(page.getByRole("alert")).toContainText(/Aoife Byrne changed this at \d\d:\d\d/);
  await expect(page.getByLabel("City")).toHaveValue("My city");
  const meanwhile = page.getByRole("region", { name: "Changed by another user" });
  await expect(meanwhile.getByRole("term")).toHaveText(["Manager", "Country", "City", "Address"]);
  await expect(meanwhile.getByRole("definition")).toHaveText(["Helen Marsh", "Ireland", "Leyland", "Their street"]);
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
});

test("users who may only read, or only their branch, see no button that would be refused", async ({
  page,
  context,
  signInAs,
}) => {
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/branches/list?name=preston");
  await expect(page.getByRole("link", { name: "View Preston" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit |^Add new branch/ })).toHaveCount(0);
  await page.goto("/branches/view/1");
  await expect(page.getByRole("link", { name: /^Edit|^Add user/ })).toHaveCount(0);
  await page.goto("/branches/profile");
  await expect(page.getByRole("link", { name: "Edit profile" })).toHaveCount(0);
  for (const path of ["/branches/new", "/branches/edit/1", "/branches/profile?edit"]) {
    expect((await page.goto(path))?.status(), path).toBe(403);
  }
  await context.clearCookies();
  await signInAs("tom@hallam.example");
  await page.goto("/branches/list");
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await expect(page.getByRole("link", { name: "Liverpool Docks", exact: true })).toBeVisible();
});
