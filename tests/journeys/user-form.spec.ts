import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { notice } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("roles and countries in use are suggested where users, branches and the own data are changed", async ({
  page,
}) => {
  const suggested = (label: string) =>
    page.getByLabel(label).evaluate((input: HTMLInputElement) => [...input.list!.options].map(({ value }) => value));
  await page.goto("/users/new");
  expect(await suggested("Role")).toEqual(expect.arrayContaining(["Accountant", "Manager"]));
  const roles = (await suggested("Role")).map((role) => role.toLowerCase());
  expect(new Set(roles).size).toBe(roles.length);
  for (const path of ["/users/new", "/branches/new", "/profile?edit", "/branches/profile?edit"]) {
    await page.goto(path);
    const countries = await suggested("Country");
    expect(countries, path).toEqual(expect.arrayContaining(["United Kingdom", "Ireland", "Zimbabwe"]));
    expect(countries.filter((country) => country === "United Kingdom")).toHaveLength(1);
  }
});

test("a branch that was removed stays chosen in the form of its former user", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const [branch, name] = [uniqueName("Pier"), uniqueName("Petra Pier")];
  await client.post("/branches/new", { name: branch, country: "Ireland", city: "Cork", intent: "save" });
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await client.post("/users/new", { name, email, staff: "Accountant", branch, intent: "save" });
  const idOn = async (path: string, pattern: RegExp) => pattern.exec(await (await client.get(path)).text())![1];
  const user = await idOn(`/users/list?name=${encodeURIComponent(name)}`, /\/users\/view\/(\d+)/);
  const at = await idOn(`/branches/list?name=${encodeURIComponent(branch)}`, /\/branches\/view\/(\d+)/);
  await client.post(`/users/edit/${user}`, { intent: "remove" });
  await client.post(`/branches/edit/${at}`, { intent: "remove" });

  await page.goto(`/users/edit/${user}`);
  const checkedOption = page.getByLabel("Branch", { exact: true }).locator("option:checked");
  await expect(checkedOption).toHaveText(`${branch} (not on the list)`);
  await page.getByLabel("City").fill("York");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
  await page.goto(`/users/edit/${user}`);
  await expect(checkedOption).toHaveText(`${branch} (not on the list)`);

  await page.getByRole("link", { name: "reactivate the user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reactivate user" }).click();
  const refusal = `Edit the user first: their branch ${branch} was removed`;
  await expect(page.getByRole("alert").filter({ hasText: refusal })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Branch", { exact: true }).selectOption("Preston");
  await page.getByRole("button", { name: "Update user" }).click();
  await page.goto(`/users/view/${user}?dialog=reactivate`);
  await page.getByRole("dialog").getByRole("button", { name: "Reactivate user" }).click();
  await expect(notice(page, `${name} was reactivated`)).toBeVisible();
  await expect(page.getByRole("main")).toContainText("not accepted yet");
});

test("a typed password is shown on demand if scripts run", async ({ page, hasScripts, context }) => {
  for (const [path, label] of [
    ["/users/new", "Password"],
    ["/profile?dialog=password", "New password"],
    ["/login", "Password"],
  ] as const) {
    if (path === "/login") await context.clearCookies();
    await page.goto(path);
    const field = page.getByLabel(label, { exact: true });
    const show = page.locator(".field").filter({ has: field }).getByRole("button", { name: "Show password" });
    if (hasScripts) await expect(show).toBeVisible();
    await field.fill("a password of some length");
    await expect(field).toHaveAttribute("type", "password");
    if (hasScripts) {
      await show.click();
      await expect(field).toHaveAttribute("type", "text");
      await expect(field).toHaveValue("a password of some length");
      await expect(show).toHaveAttribute("aria-pressed", "true");
      await show.click();
      await expect(field).toHaveAttribute("type", "password");
    } else await expect(show).toHaveCount(0);
  }
});
