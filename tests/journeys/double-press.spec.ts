import type { Page } from "@playwright/test";
import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

const comments = (page: Page, text: string) =>
  page.getByRole("region", { name: "Comments" }).getByRole("listitem").filter({ hasText: text });

async function openAlert(page: Page) {
  await page.goto("/alerts?number=NM-2YB6HM&state=Open");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByLabel("New comment")).toBeVisible();
}

test("a button that is pressed twice acts once, and says so as after one press", async ({ page, signInAs }) => {
  await signInAs();
  await openAlert(page);
  const text = uniqueName("The second scan is from another town");
  await page.getByLabel("New comment").fill(text);
  await page.getByRole("button", { name: "Add comment" }).dblclick();
  await expect(page.getByRole("status").filter({ hasText: "Comment added" })).toBeVisible();
  await expect(comments(page, text)).toHaveCount(1);
  await page.reload();
  await expect(comments(page, text)).toHaveCount(1);
  // Who means it writes the same again.
  await page.getByLabel("New comment").fill(text);
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(comments(page, text)).toHaveCount(2);
});

test("two presses make one API key, which is shown", async ({ page, signInAs, server }) => {
  await signInAs();
  await page.goto("/profile/api-keys/new");
  const name = uniqueName("Pressed");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Valid until").fill(inDays(30));
  await page.getByRole("radio", { name: /^Read$/ }).check();
  await page.getByRole("checkbox", { name: "Docs" }).check();
  await page.getByRole("button", { name: "Make the API key" }).dblclick();
  const key = await page.getByText(/^sd_live_/).innerText();
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${server.url}/api/documents?per_page=1`, { headers })).status).toBe(200);
  await page.getByRole("link", { name: "Back to your API keys" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
});

test("a form that comes again after its answer was lost is answered the same, and not done again", async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs();
  await openAlert(page);
  const text = uniqueName("The line was cut");
  const page_user = await page.locator("form [name=page_user]").first().inputValue();
  const { pathname } = new URL(page.url());
  const send = (form: Record<string, string>) =>
    context.request.post(pathname, { form: { page_user, intent: "comment", ...form }, maxRedirects: 0 });
  const [first, second] = await Promise.all([send({ text }), send({ text })]);
  const third = await send({ text });
  for (const again of [second, third]) {
    expect([again.status(), again.headers()["location"]]).toEqual([302, first.headers()["location"]]);
  }
  await send({ text: `${text}, again` });
  await page.reload();
  await expect(comments(page, text)).toHaveCount(2);
});
