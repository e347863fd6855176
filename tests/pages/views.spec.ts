import type { Page } from "@playwright/test";
import { pageUserAt } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { fact, unfold } from "../support/page-parts.ts";
import { picture } from "../support/page-files.ts";
import { at, inspect, type State } from "../support/page-states.ts";
import { issued, verdict } from "../support/visitor.ts";
import { addFiles, next, step } from "../support/wizard.ts";

/** Saves a view by the form's own post, and returns its number. */
async function save(page: Page, url: string, form: Record<string, string>): Promise<string> {
  const headers = { origin: new URL(url).origin };
  const options = {
    headers,
    form: { page_user: await pageUserAt(page), list: "branches", query: "city=pres", ...form },
    maxRedirects: 0,
  };
  const answer = await page.request.post(`${url}/views/new?list=${options.form.list}`, options);
  expect(answer.status()).toBe(302);
  return /view=(\d+)/.exec(answer.headers().location!)![1]!;
}

const states: State[] = [
  { name: "view, new", open: at("/views/new?list=documents&query=name%3Dlease%26sort%3D-date") },
  { name: "view, new, of alerts without filters", open: at("/views/new?list=alerts") },
  {
    name: "view, refused",
    async open(page) {
      await page.goto("/views/new?list=users");
      await page.getByRole("button", { name: "Save view" }).click();
      await expect(page.getByRole("alert")).toContainText("Enter the name");
    },
  },
  { name: "view, not there", open: at("/views/999999") },
  { name: "list, with a view that is gone", open: at("/users/list?view=999999") },
  {
    name: "many, result with refusals",
    async open(page) {
      await page.goto("/bulk-actions/new?list=documents&act=prolong&all=1&filters=");
      await page.getByRole("button", { name: "Prolong" }).click();
      await expect(page.getByRole("cell", { name: "Refused" }).first()).toBeVisible();
    },
  },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}

test("an own view, and its removal, have no violations", async ({ page, signInAs, server }) => {
  await signInAs();
  const id = await save(page, server.url, {
    list: "documents",
    name: uniqueName("Own"),
    shared: "1",
    columns: "custom:Tenor",
  });
  await page.goto(`/views/${id}`);
  await inspect(page, "view, own");
  await page.goto(`/views/${id}?dialog=remove`);
  await inspect(page, "view, own, removing");
  await page.goto(`/documents/list?view=${id}`);
  await inspect(page, "list, with a view");
});

test("a colleague's shared view has no violations", async ({ page, context, signInAs, server }) => {
  await signInAs("priya@hallam.example");
  const id = await save(page, server.url, { name: uniqueName("Shared"), shared: "1" });
  await context.clearCookies();
  await signInAs();
  await page.goto(`/views/${id}`);
  await expect(page.getByText("shared by")).toBeVisible();
  await inspect(page, "view, shared by a colleague");
});

test("a list with thirty views has no violations, and unfolds them", async ({ page, signInAs, server }) => {
  await signInAs();
  const long = "Branches of the north with a very long name, as people write";
  for (let n = 0; n < 30; n++)
    await save(page, server.url, { name: `${uniqueName("View")} ${n % 3 ? "" : long}`.slice(0, 60) });
  await page.goto("/branches/list");
  await inspect(page, "list, with thirty views");
  const bar = page.getByRole("navigation", { name: "Saved views" });
  await expect(bar.getByRole("link").filter({ visible: true })).toHaveCount(9);
  await bar.getByText(/^\d+ more views$/).click();
  await inspect(page, "list, with thirty views unfolded");
});

test("a replaced document, its new version and their scans have no violations", async ({ page, server, signInAs }) => {
  await signInAs();
  const { path, code, number } = await issued(server.url);
  await page.goto(path);
  await unfold(page);
  await page.getByRole("button", { name: "Issue a new version" }).click();
  await next(page);
  await step(page, "Pages");
  await addFiles(page, true, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await step(page, "Review");
  await inspect(page, "wizard, new version");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(fact(page, "Replaces")).toContainText(number);
  await inspect(page, "document, new version");
  await page.goto(path);
  await inspect(page, "document, replaced");
  await page.goto(`/v/${code}`);
  await inspect(page, "code, replaced");
  await page.goto(`/v/${code}/newer`);
  await expect(verdict(page)).toContainText("is in force, this paper is not");
  await inspect(page, "code, newer version");
});
