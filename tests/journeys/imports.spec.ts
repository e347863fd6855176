import { join } from "node:path";
import Database from "better-sqlite3";
import { confirmPresence } from "../support/confirm-presence.ts";
import { browserCookie, signInClientPastNotice } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { applyChanges, downloadTable, preview, savedAgain } from "../support/spreadsheet.ts";

test.beforeEach(({ signInAs }) => signInAs());

const emailOf = (name: string) => `${name.replace(/\W/g, "").toLowerCase()}@hallam.example`;

for (const kind of ["users", "branches"]) {
  test(`an exported list of ${kind}, imported unchanged, changes nothing`, async ({ page }) => {
    await page.goto(`/${kind}/list`);
    const { buffer, cells } = await downloadTable(page, { name: "Export CSV" });
    await page.goto("/settings");
    await page.getByRole("link", { name: `Import ${kind}` }).click();
    await preview(page, { name: "list.csv", mimeType: "text/csv", buffer });
    await expect(page.getByText("There is nothing to apply.")).toBeVisible();
    await expect(page.getByText(`Unchanged: ${cells.length - 1}`, { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "Apply changes" })).toHaveCount(0);
    await page.goto(`/${kind}/import`);
    await preview(page, savedAgain(cells));
    await expect(page.getByText(`Unchanged: ${cells.length - 1}`, { exact: true })).toBeVisible();
  });
}

test("cells of users changed in a spreadsheet are exactly those changes, applied and in the history", async ({
  page,
}) => {
  const name = uniqueName("Ivy Import");
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Phone").fill("+44 161 496 0100");
  await page.getByLabel("Access group").selectOption("Branch Inspector");
  await page.getByLabel("Additional information").fill('One; two\n"three"');
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was added" })).toBeVisible();

  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  const { cells } = await downloadTable(page, { name: "Export CSV" });
  const [headings, user] = cells as [string[], string[]];
  const changed = user.with(headings.indexOf("City"), "Hull; East");
  await page.goto("/users/import");
  await preview(page, savedAgain([headings, changed]));
  await expect(page.getByText("Changed: 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("row").last()).toContainText("City: Hull; East");
  await expect(
    page
      .getByRole("row")
      .last()
      .getByText(/^\w[\w ]*:/),
  ).toHaveCount(1);
  await applyChanges(page);
  await expect(page.getByRole("row").last()).toContainText("Saved");

  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  const { cells: after } = await downloadTable(page, { name: "Export CSV" });
  expect(after[1]).toEqual(changed);
  await page.goto(`/users/view/${changed[headings.indexOf("ID")]}?tab=history`);
  await expect(page.getByRole("row").nth(1)).toContainText("Changed");
  await expect(page.getByRole("row").nth(1)).toContainText("Hull; East");
});

test("a branch is renamed by its ID, and new ones are added", async ({ page }) => {
  const [before, renamed, added] = ["Before", "Renamed", "Added"].map((word) => uniqueName(`${word} branch`)) as [
    string,
    string,
    string,
  ];
  const headings = ["Name", "Country", "City"];
  await page.goto("/branches/import");
  await preview(page, savedAgain([headings, [before, "United Kingdom", "Hull"]]));
  await applyChanges(page);
  await page.goto(`/branches/list?name=${encodeURIComponent(before)}`);
  const { cells } = await downloadTable(page, { name: "Export CSV" });
  const [columns, branch] = cells as [string[], string[]];
  const other = branch.with(0, added).with(columns.indexOf("ID"), "");
  await page.goto("/branches/import");
  await preview(page, savedAgain([columns, branch.with(0, renamed), other]));
  await expect(page.getByText("New: 1 · Changed: 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText(renamed);
  await applyChanges(page);
  await expect(page.getByText("Added: 1 · Saved: 1", { exact: true })).toBeVisible();
  for (const [name, count] of [
    [before, 0],
    [renamed, 1],
    [added, 1],
  ] as const) {
    await page.goto(`/branches/list?name=${encodeURIComponent(name)}`);
    await expect(page.getByRole("link", { name: `Edit ${name}` })).toHaveCount(count);
  }
});

test("refused rows come back as a file that says why, and are imported once corrected", async ({ page }) => {
  const [good, bad] = [uniqueName("Gail Good"), uniqueName("=Bert Bad")] as [string, string];
  const rows = [
    ["Name", "Email", "Access group", "Notes"],
    [good, emailOf(good), "Accountant", "kept"],
    [bad, emailOf(bad), "Unknown group", "@kept too"],
  ];
  await page.goto("/users/import");
  await preview(page, savedAgain(rows));
  await expect(page.getByText("New: 1 · Refused: 1", { exact: true })).toBeVisible();
  await expect(page.getByText("Columns that are not imported: Notes")).toBeVisible();
  const why = "Access group: Choose an access group of your company";
  const before = await downloadTable(page, { name: "Refused rows as CSV" });
  expect(before.name).toMatch(/^refused-users-[\d-]+\.csv$/);
  expect(before.cells).toEqual([
    [...rows[0]!, "Why"],
    [`'${bad}`, emailOf(bad), "Unknown group", "'@kept too", why],
  ]);
  await applyChanges(page);
  await expect(page.getByText("Refused: 1 · Added: 1", { exact: true })).toBeVisible();
  const { cells } = await downloadTable(page, { name: "Refused rows as CSV" });
  expect(cells).toEqual(before.cells);

  await page.goto("/users/import");
  await preview(page, savedAgain([cells[0]!, cells[1]!.with(2, "Accountant")]));
  await expect(page.getByRole("row").last()).toContainText(`Name: ${bad}`);
  await applyChanges(page);
  await page.goto(`/users/list?name=${encodeURIComponent(bad)}`);
  await expect(page.getByRole("row", { name: bad })).toBeVisible();
});

test("a file that is no table is refused with its reason", async ({ page }) => {
  await page.goto("/branches/import");
  await page.getByRole("button", { name: "Preview changes" }).click();
  await expect(page.getByRole("alert").getByRole("link", { name: "Choose the file first" })).toBeVisible();
  const file = { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("City\nLeeds\n") };
  await page.getByLabel("CSV or XLSX file").setInputFiles(file);
  await page.getByRole("button", { name: "Preview changes" }).click();
  await expect(page.getByRole("alert")).toContainText("needs a column “ID” or “Name”");
});

test("a while after sign-in, other emails of users need a proof", async ({ page, context }) => {
  const desk = await startServer({ from: sampleData });
  try {
    await context.addCookies([browserCookie(await signInClientPastNotice(desk.url))]);
    const rows = new Database(join(desk.data, "sealdesk.db"));
    rows.prepare("update tokens set created_at = ?").run(new Date(Date.now() - 60 * 60 * 1000).toISOString());
    const daniel = rows.prepare("select id from users where name = 'Daniel Webb'").pluck().get();
    rows.close();
    await page.goto(`${desk.url}/users/import`);
    await preview(
      page,
      savedAgain([
        ["ID", "Email"],
        [`${daniel}`, "daniel@new.example"],
      ]),
    );
    await page.getByRole("link", { name: "Apply changes" }).click();
    const dialog = page.getByRole("dialog");
    const apply = dialog.getByRole("button", { name: "Apply changes" });
    await apply.click();
    await confirmPresence(page);
    await apply.click();
    await expect(page.getByText("Applied.", { exact: true })).toBeVisible();
    await page.goto(`${desk.url}/users/edit/${daniel}`);
    await expect(page.getByText("daniel@new.example is not confirmed yet")).toBeVisible();
  } finally {
    await desk.stop();
  }
});
