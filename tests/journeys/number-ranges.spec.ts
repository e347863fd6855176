import { expect, test } from "../support/journey.ts";
import { dialog, fact, main, notice } from "../support/page-parts.ts";
import { addPicture, next, openDetails, step } from "../support/wizard.ts";

const year = new Date().getFullYear();

test("a company sets how a type is numbered, and documents get the next number when they are issued", async ({
  page,
  signInAs,
  hasScripts,
}) => {
  await signInAs();
  await page.goto("/settings");
  await page.getByRole("link", { name: "Number ranges" }).click();
  await page.getByRole("link", { name: "Add number range" }).click();
  await page.getByLabel("Document type").selectOption("Policy");
  const nextNumber = page.getByLabel("Next number");
  await nextNumber.fill("PO");
  await page.getByRole("button", { name: "Show numbers" }).click();
  await expect(page.getByRole("alert")).toContainText("End it with the running number");
  await expect(page.getByLabel("Document type")).toHaveValue("Policy");
  await nextNumber.fill(`PO-${year}-00042`);
  await page.getByRole("button", { name: "Show numbers" }).click();
  const numbers = [42, 43, 44].map((n) => `PO-${year}-000${n}`).join(", ");
  await expect(main(page)).toContainText(`${numbers} … and next year PO-${year + 1}-00001.`);
  await page.getByRole("button", { name: "Add number range" }).click();
  await expect(notice(page, `Saved: the next number is PO-${year}-00042`)).toBeVisible();

  await openDetails(page, "Policy", "Privacy");
  const number = page.getByLabel("Document number");
  await expect(number).toHaveValue("");
  await expect(main(page)).toContainText("Leave it empty to get the next number when it is issued");
  await page.getByLabel("Document name").fill("Privacy of visitors");
  await page.getByLabel("Expire type").selectOption("Never");
  await number.fill(`PO-${year}-00050`);
  await next(page);
  await expect(page.getByRole("alert")).toContainText("is of a number range");
  await number.fill("");
  await addPicture(page, hasScripts);
  await expect(fact(page, "Document number")).toHaveText(/^The next one when it is issued, PO-\d{4}-00042 now$/);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(fact(page, "Number")).toHaveText(/^PO-\d{4}-00042$/);

  await page.goto("/settings/number-ranges");
  await page.getByRole("link", { name: "Edit Policy" }).click();
  await expect(nextNumber).toHaveValue(`PO-${year}-00043`);
  await nextNumber.fill(`PO-${year}-00042`);
  await page.getByLabel("Begins with 1 each year").uncheck();
  await page.getByRole("button", { name: "Show numbers" }).click();
  await expect(main(page)).toContainText(`A document has PO-${year}-00042 already`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(notice(page, `Saved: the next number is PO-${year}-00043`)).toBeVisible();
  await page.getByRole("link", { name: "Edit Policy" }).click();
  await expect(page.getByLabel("Begins with 1 each year")).not.toBeChecked();
  await page.getByRole("button", { name: "Remove number range" }).click();
  await dialog(page).getByRole("button", { name: "Remove number range" }).click();
  await expect(notice(page, "The number range was removed")).toBeVisible();
  await openDetails(page, "Policy", "Privacy");
  await expect(number).toHaveValue(/^NM-/);
  await step(page, "Details");
});

test("the audit trail has what became of number ranges", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/settings/number-ranges/new");
  await page.getByLabel("Document type").selectOption("Bank");
  await page.getByLabel("Next number").fill("B1");
  await page.getByRole("button", { name: "Add number range" }).click();
  await expect(page.getByRole("alert")).toContainText(`Put ${year} into the number, or untick this`);
  await page.getByLabel("Begins with 1 each year").uncheck();
  await page.getByRole("button", { name: "Add number range" }).click();
  await page.getByRole("link", { name: "Edit Bank" }).click();
  await page.getByRole("button", { name: "Remove number range" }).click();
  await dialog(page).getByRole("button", { name: "Remove number range" }).click();
  await page.goto("/audit?action=number");
  await expect(page.getByRole("table").first()).toContainText("Number range added");
  await expect(page.getByRole("table").first()).toContainText("Number range removed");
});
