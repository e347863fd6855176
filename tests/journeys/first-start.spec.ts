import { expect, test } from "../support/journey.ts";
import { startServer } from "../support/server.ts";

test("on an empty installation, the printed link creates the company and its first administrator", async ({ page }) => {
  const server = await startServer();
  try {
    const link = /http\S+\/signup\?token=\S+/.exec(server.output())![0];
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
    await page.goto(`${server.url}/logout`);
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link not valid");
  } finally {
    await server.stop();
  }
});
