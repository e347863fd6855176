import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

test("an administrator erases the personal data of a removed user", async ({ page, server, signInAs }) => {
  const name = uniqueName("Vera Vanishing");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  const client = await signInClient(server.url);
  const form = { name, email, staff: "Accountant", phone: "0161 496 0777", intent: "save" };
  expect((await client.post("/users/new", form)).status).toBe(302);
  const list = await (await client.get(`/users/list?name=${encodeURIComponent(name)}`)).text();
  const [, id] = /\/users\/view\/(\d+)/.exec(list)!;
  await signInAs();
  await page.goto(`/users/view/${id}`);
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Erase personal data" })).toHaveCount(0);
  expect((await client.post(`/users/edit/${id}`, { intent: "remove" })).status).toBe(302);

  await page.goto(`/users/view/${id}`);
  await page.getByRole("link", { name: "Erase personal data" }).click();
  const dialog = page.getByRole("dialog", { name: `Erase the personal data of ${name}?` });
  await expect(dialog).toContainText("This can’t be undone.");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.getByRole("link", { name: "Erase personal data" }).click();
  await dialog.getByRole("button", { name: "Erase personal data" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Removed user \d+: personal data erased$/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Removed user ${id}`);
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("table", { name: "History" })).toContainText("Erased");
  for (const value of [name, email, "0161 496 0777"]) await expect(page.getByText(value)).toHaveCount(0);
});
