import { expect, scripts, test } from "../support/journey.ts";

test("who goes back while a page's scripts are on their way sees the page before", async ({ page, signInAs }) => {
  await signInAs();
  const shows = (title: string) => expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.goto("/branches/list");
  await page.getByRole("main").getByRole("link", { name: "Dublin Quay" }).first().click();
  await shows("Dublin Quay");
  await page.goto("/help");
  const release = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goBack({ waitUntil: "commit" });
  await shows("Dublin Quay");
  await page.goBack({ waitUntil: "commit" });
  await expect(page).toHaveURL(/\/branches\/list$/);
  release.resolve();
  await shows("Branches");
});
