import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

const core = "urn:ietf:params:scim:schemas:core:2.0:User";

test("an administrator makes a SCIM token, with which a directory adds a user, and revokes it", async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs();
  await page.goto("/settings");
  await page.getByRole("link", { name: "User provisioning" }).click();
  const address = `${server.url}/scim/v2`;
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  const name = uniqueName("Entra ID");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Valid until").fill(inDays(30));
  await page.getByRole("radio", { name: /by SCIM$/ }).check();
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByRole("link", { name: "Choose the access group of new users" })).toBeVisible();
  await expect(page.getByRole("radio", { name: /by SCIM$/ })).toBeChecked();
  await page.getByLabel("Access group of new users").selectOption("Accountant");
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByText("Copy this key now: it is not shown again.")).toBeVisible();
  const token = await page.getByText(/^sd_live_/).innerText();

  const send = (method: string, path: string, body?: object) =>
    fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const displayName = uniqueName("Sally Scim");
  const userName = `${displayName.replaceAll(" ", ".")}@company.example`;
  const added = await send("POST", "/Users", { schemas: [core], userName, displayName });
  expect([added.status, added.headers.get("content-type")]).toEqual([201, "application/scim+json"]);
  const { id } = (await added.json()) as { id: string };
  const patch = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] };
  const off = { ...patch, Operations: [{ op: "Replace", path: "active", value: "False" }] };
  expect((await send("PATCH", `/Users/${id}`, off)).status).toBe(200);
  expect((await send("DELETE", `/Users/${id}`)).status).toBe(204);

  await page.getByRole("link", { name: "Back to your API keys" }).click();
  const row = page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Access group of new users: Accountant");
  await expect(row).not.toContainText("Never");
  expect(await page.content()).not.toContain(token);
  await page.goto(`/users/view/${id}?tab=history`);
  await expect(page.getByRole("main")).toContainText(name);
  await page.goto("/profile/api-keys");
  await row.getByRole("link", { name: `Revoke API key ${name}` }).click();
  await page.getByRole("button", { name: "Revoke API key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The API key was revoked" })).toBeVisible();
  const refused = await send("GET", "/Users");
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("password managers find the page that changes the password", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/.well-known/change-password");
  await expect(page.getByRole("dialog", { name: "Change password" })).toBeVisible();
});
