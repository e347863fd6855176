import { expect, test } from "../support/other-journey.ts";
import { otherSignIn, requestLines } from "../support/other-provider.ts";
import { pdf } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

/** In front of a provider that has the specification's ten calls, and null and texts where others leave fields out. */

test.use({ writing: "nulls" });

test("a user signs in, and sees every page that the provider has", async ({ page, other }) => {
  other.answers.clear();
  await page.goto("/login");
  await page.getByLabel("Email").fill(otherSignIn.email);
  await page.getByLabel("Password").fill(otherSignIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await expect(page.getByRole("banner")).toContainText("12 / 5000");
  for (const [path, heading] of [
    ["/documents/list", "Documents"],
    ["/documents/archive", "Archive"],
    ["/documents/101", "Charter 1"],
    ["/documents/101?tab=custom", "Charter 1"],
    ["/documents/101?dialog=qr", "Charter 1"],
    ["/users/view/7", "Olive Trent"],
    ["/users/edit/7", "Edit user"],
    ["/users/new", "Add new user"],
    ["/alerts/1", "Fake scan of Charter 1"],
    ["/documents/new", "Add new document"],
  ] as const) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(heading);
    await expect(page.getByRole("main"), path).not.toContainText("null");
  }
});

test.describe("signed in", () => {
  test.beforeEach(({ signInAs }) => signInAs());

  test("documents are filtered and exported, and a field without a value is empty", async ({ page }) => {
    await page.goto("/documents/list?name=charter%2012");
    await expect(page.getByText("1 - 1 of 1")).toBeVisible();
    const csv = await (await page.request.get("/documents/list.csv?name=charter%2012")).text();
    expect(csv).toContain('"Charter 12","",');
  });

  test("a user is changed and added, and one without a picture has initials", async ({ page, other }) => {
    await page.goto("/users/edit/7");
    await expect(page.getByLabel("Phone")).toHaveValue("");
    await page.getByLabel("Phone").fill("01482 1");
    await page.getByRole("button", { name: "Update user" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Olive Trent: changes saved" })).toBeVisible();
    await page.goto("/users/view/7");
    await expect(page.getByRole("main").locator("img")).toHaveCount(0);
    await page.goto("/users/new");
    await page.getByLabel("Name", { exact: true }).fill("Piet Punt");
    await page.getByLabel("Email").fill("piet@trent.example");
    await page.getByLabel("Access group").fill("Clerks");
    await page.getByRole("button", { name: "Add user" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Piet Punt was added" })).toBeVisible();
    expect(requestLines(other)).toContain("POST /api/users");
  });

  test("a document is created", async ({ page, hasScripts }) => {
    await chooseType(page);
    await page.getByLabel("Document name").fill("Deed of gift");
    await page.getByLabel("Company users access group").fill("Clerks");
    await next(page);
    await step(page, "Pages");
    await addFiles(page, hasScripts, await pdf("deed.pdf"));
    await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
    await next(page);
    await step(page, "Review");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page).toHaveURL("/documents/101");
  });
});
