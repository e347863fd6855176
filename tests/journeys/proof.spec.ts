import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the proof of a document is downloaded, and a program without server or database confirms it", async ({
  page,
}) => {
  await page.goto("/documents/8");
  await unfold(page);
  await page.getByRole("link", { name: "Proof, ZIP" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sealed PDFs");
  const link = page.getByRole("link", { name: "Download proof" });
  // It is sealed by a job, and the list of codes is made by another.
  await expect(async () => {
    await page.reload();
    await expect(link).toBeVisible({ timeout: 100 });
    expect((await page.request.head((await link.getAttribute("href"))!)).status()).toBe(200);
  }).toPass();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("proof.zip");
  const args = ["build/server/cli.js", "check-code", "--bundle", await download.path()];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/\.pdf {2}proved: sealed by .*; in force at /s);
});
