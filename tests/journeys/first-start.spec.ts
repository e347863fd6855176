import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import type { Page } from "@playwright/test";
import { asUpload, picture } from "../support/page-files.ts";
import { notice } from "../support/page-parts.ts";
import { startServer } from "../support/server.ts";

/** The three steps that a new company's dashboard shows, each taken from there. */
async function setUp(page: Page, url: string) {
  const steps = page.getByRole("region", { name: "Set up your company" });
  const begin = async (done: string, step: string) => {
    await page.goto(`${url}/dashboard`);
    await expect(steps).toContainText(done);
    await steps.getByRole("link", { name: step }).click();
  };
  await begin("0 of 3 done", "Complete the company profile");
  await page.getByLabel("Address").fill("1 First Street");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Company profile: changes saved")).toBeVisible();
  await begin("1 of 3 done", "Add your first branch");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new branch");
  await page.goto(`${url}/branches/list`);
  await page.getByRole("main").getByRole("link", { name: "Add new branch" }).last().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new branch");
  await page.getByLabel("Name").fill("Head office");
  await page.getByLabel("Country").fill("United Kingdom");
  await page.getByLabel("City").fill("Preston");
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(notice(page, "Head office was added")).toBeVisible();
  await begin("2 of 3 done", "Issue your first document");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new document");
  const email = "fay@first.example";
  const client = await signInClient(url, { email, password: "correct horse battery" });
  const draft = await startDraft(client, "First paper", { email });
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  await create(client, draft);
  await page.goto(`${url}/dashboard`);
  await expect(page.getByRole("region", { name: "Documents" }).getByRole("rowheader")).toHaveCount(1);
  await expect(steps).toHaveCount(0);
}

test("on an empty installation, the printed link creates the company and its first administrator", async ({ page }) => {
  const server = await startServer();
  try {
    const link = /http[^"]+\/signup\?token=[\w-]+/.exec(server.output())![0];
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up Sealdesk");
    await page.getByLabel("Company’s name").fill("First Ltd");
    await page.getByLabel("Your name").fill("Fay First");
    await page.getByLabel("Your email").fill("nonsense");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Confirm password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await expect(page.getByLabel("Your email")).toHaveAccessibleDescription(/Enter an email address like/);
    await expect(page.getByLabel("Company’s name")).toHaveValue("First Ltd");
    await page.getByLabel("Your email").fill("fay@first.example");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Confirm password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await page.getByRole("link", { name: "Login now" }).click();
    await page.getByLabel("Email").fill("fay@first.example");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("banner")).toContainText("First Ltd");
    await expect(page.getByRole("banner")).toContainText("0 / 5000");
    await expect(page.getByRole("region", { name: "Documents" })).toContainText("Not found");
    await page.goto(`${server.url}/documents/list`);
    await expect(page.getByText("There are no documents yet.")).toBeVisible();
    await setUp(page, server.url);
    await page.goto(`${server.url}/logout`);
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link not valid");
  } finally {
    await server.stop();
  }
});
