import { readFile } from "node:fs/promises";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { phone } from "../support/visitor.ts";

/** A browser without a window counts as a robot, whose looks are not recorded. */
test.use({ userAgent: phone });

test("the first one who opens an alert and may change it is in its history, once", async ({
  page,
  context,
  signInAs,
  hasScripts,
}) => {
  // Priya may only read alerts.
  await signInAs("priya@hallam.example");
  const name = hasScripts ? "Supplier agreement, Aldous Paper" : "Warehouse lease, unit 14";
  await page.goto("/alerts?alert=Complaint&sort=date");
  await page.getByRole("rowheader", { name }).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Complaint: ${name}`);
  const address = page.url().replace(/[?#].*/, "");
  const looks = page.getByRole("row", { name: /First seen/i });
  await page.goto(`${address}?tab=history`);
  const before = await looks.count();
  await context.clearCookies();
  await signInAs();
  for (const _ of [1, 2]) await page.goto(`${address}?tab=history`);
  await expect(looks).toHaveCount(Math.max(1, before));
});

test("colleagues comment on an alert, get notified, and remove their own comments", async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs();
  await page.goto("/alerts?number=NM-2YB6HM&state=Open");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByText("Enter the comment").first()).toBeVisible();
  await page.getByLabel("New comment").fill("Look at the second scan\n@Nobody Known");
  await page.getByLabel("Tell a colleague by email").selectOption({ label: "Aoife Byrne, aoife@hallam.example" });
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByText("may see this alert: check the name").first()).toBeVisible();
  await expect(page.getByLabel("New comment")).toHaveValue("Look at the second scan\n@Nobody Known");
  await expect(page.getByLabel("Tell a colleague by email")).toHaveValue("aoife@hallam.example");
  const text = `Look at the second scan, ${Date.now()}`;
  await page.getByLabel("New comment").fill(`${text}\n@helen@hallam.example`);
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Aoife Byrne notified by email" })).toBeVisible();
  await expect(page.getByLabel("New comment")).toHaveValue("");
  const comment = page.getByRole("region", { name: "Comments" }).getByRole("listitem").filter({ hasText: text });
  await expect(comment).toContainText("Notified by email: Aoife Byrne");
  await comment.getByRole("link", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove comment" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The comment was removed" })).toBeVisible();
  await expect(page.getByText(text)).toHaveCount(0);
  await expect(page.getByText("The author removed this comment.").first()).toBeVisible();
  await context.clearCookies();
  await signInAs("aoife@hallam.example");
  await page.goto("/alerts?number=NM-6HW0E5");
  await page.getByRole("rowheader").getByRole("link").first().click();
  const comments = page.getByRole("region", { name: "Comments" }).getByRole("listitem");
  await expect(comments.filter({ hasText: "Do we send a new version?" }).getByRole("link")).toHaveCount(1);
  await expect(comments.filter({ hasText: "I wait for the address" }).getByRole("link")).toHaveCount(0);
});

test("the list is filtered by owner and state, and exports both", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/alerts");
  const search = page.getByRole("search");
  await unfold(search);
  await search.getByLabel("Owner").selectOption("Me");
  await search.getByLabel("Status").selectOption("In work");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader", { name: "Employers’ liability policy" })).toBeVisible();
  await expect(page.getByRole("cell", { name: /^Completed:/ })).toHaveCount(0);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: /CSV/ }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file.split("\r\n")[0]).toContain('"Owner","Case state"');
  expect(file).toContain('"Helen Marsh","In work"');
  await page.goto("/alerts?owner=no+such+colleague");
  await expect(search.getByText("“no such colleague” is not one of the choices")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("alerts are assigned together, and undoing gives them back", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/alerts?number=NM-K4S8VD&state=Open");
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  await page.getByRole("button", { name: "Assign" }).click();
  await page.getByRole("button", { name: "Assign" }).click();
  await expect(page.getByText("Choose the owner, or nobody").first()).toBeVisible();
  await page.getByLabel("Owner").selectOption("Me");
  await page.getByRole("button", { name: "Assign" }).click();
  await expect(page.getByRole("heading", { name: "Assigned: 1 alert" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Helen Marsh" })).toBeVisible();
  await page.getByRole("button", { name: "Undo for 1 alert" }).click();
  await expect(page.getByRole("link", { name: "This undid an earlier action" })).toBeVisible();
  await page.goto("/alerts?number=NM-K4S8VD&owner=aoife");
  await expect(page.getByRole("rowheader")).toHaveCount(1);
});

test("a page from the dashboard says how alerts were handled, and leads to one's own", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  const figures = page.getByRole("table", { name: "How alerts were handled" });
  await expect(figures).toHaveCount(0);
  await page.getByRole("link", { name: "How alerts were handled" }).click();
  await expect(figures.getByRole("row", { name: "Time to the first look" })).toContainText("90% within");
  await expect(figures.getByRole("row", { name: "False alarms: Burst of scans" })).toContainText("2 of 2 completed");
  await page.getByRole("link", { name: /^Mine: \d+ open$/ }).click();
  await expect(page).toHaveURL("/alerts?owner=me&state=open");
  await expect(page.getByRole("rowheader").first()).toBeVisible();
});

test("documents exit together for a reason", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/documents/list?number=NM-8RJ7C2");
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  await page.getByRole("button", { name: "Exited" }).click();
  await page.getByRole("button", { name: "Mark as exited" }).click();
  await expect(page.getByText("Choose why the documents exit").first()).toBeVisible();
  await page.getByLabel("Reason").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Mark as exited" }).click();
  await expect(page.getByRole("heading", { name: "Exited: 1 document" })).toBeVisible();
  await page.getByRole("button", { name: "Undo for 1 document" }).click();
  await expect(page.getByRole("heading", { name: "Reactivated: 1 document" })).toBeVisible();
});
