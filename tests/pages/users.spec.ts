import type { Page } from "@playwright/test";
import { browserCookie, signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { startMailServer } from "../support/mail-server.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";

/** Opens the dialog that erases a user who was removed. */
async function formerUser(page: Page) {
  await page.goto("/v");
  const client = await signInClient(new URL(page.url()).origin);
  const name = uniqueName("Fay Former");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await client.post("/users/new", { name, email, staff: "Accountant", intent: "save" });
  const [, id] = /\/users\/view\/(\d+)/.exec(
    await (await client.get(`/users/list?name=${encodeURIComponent(name)}`)).text(),
  )!;
  await client.post(`/users/edit/${id}`, { intent: "remove" });
  await page.goto(`/users/view/${id}?dialog=erase`);
  await expect(page.getByRole("dialog")).toBeVisible();
}

/** Opens the page of a user who was just invited. */
async function invited(page: Page) {
  await page.goto("/users/new");
  const name = uniqueName("Ines Invited");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("region", { name: "Invitation link" })).toBeVisible();
  return name;
}

async function makeKey(page: Page) {
  await page.goto("/profile/api-keys/new");
  await page.getByLabel("Name").fill("Reports");
  await page.getByLabel("Valid until").fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("checkbox", { name: "Docs" }).check();
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByText("not shown again")).toBeVisible();
}

const states: State[] = [
  { name: "users, one just invited", open: async (page) => void (await invited(page)) },
  {
    name: "user, inviting again",
    async open(page) {
      const name = await invited(page);
      await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
      await page.getByRole("link", { name: `Info ${name}` }).click();
      await page.getByRole("link", { name: "Send invitation again" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "user, reactivating",
    async open(page) {
      await formerUser(page);
      await page.goto(page.url().replace("erase", "reactivate"));
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "user, editing a removed one",
    async open(page) {
      await formerUser(page);
      await page.goto(page.url().replace(/view\/(\d+).*/, "edit/$1"));
      await expect(page.getByRole("link", { name: "reactivate the user" })).toBeVisible();
    },
  },
  { name: "users", open: at("/users/list") },
  { name: "second factor, none", open: at("/profile/second-factor") },
  {
    name: "second factor, being set up",
    async open(page) {
      await page.goto("/profile/second-factor");
      await page.getByRole("button", { name: "Set up authenticator app" }).click();
      await expect(page.getByLabel("One-time code")).toBeVisible();
    },
  },
  { name: "proof", open: at("/confirm?next=/profile") },
  { name: "passkeys", open: at("/profile/passkeys") },
  { name: "passkeys, adding one", open: at("/profile/passkeys?add") },
  { name: "users, removed", open: at("/users/list?active=0") },
  { name: "user, editing another", open: at("/users/edit/2") },
  { name: "users, not found", open: at("/users/list?city=nowhere") },
  {
    name: "user",
    async open(page) {
      await page.goto("/users/list");
      await page.getByRole("link", { name: "Info Daniel Webb" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Daniel Webb");
    },
  },
  {
    name: "user, removing",
    async open(page) {
      await page.goto("/users/list");
      await page.getByRole("link", { name: "Edit Daniel Webb" }).click();
      await page.getByRole("button", { name: "Remove user" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "new user, refused",
    async open(page) {
      await page.goto("/users/new");
      await page.getByRole("button", { name: "Add user" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "profile", open: at("/profile") },
  { name: "profile, editing", open: at("/profile?edit") },
  {
    name: "profile, refused",
    async open(page) {
      await page.goto("/profile?edit");
      await page.getByLabel("Name").fill("");
      await page.getByRole("button", { name: "Update" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "profile, a new email waits",
    async open(page) {
      await page.goto("/profile?edit");
      await page.getByLabel("Email").fill("helen.new@hallam.example");
      await page.getByRole("button", { name: "Update" }).click();
      await expect(page.getByRole("region", { name: "New email" })).toBeVisible();
    },
  },
  { name: "profile, changing the password", open: at("/profile?dialog=password") },
  {
    name: "profile, password refused",
    async open(page) {
      await page.goto("/profile?dialog=password");
      await page.getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "API keys, none", open: at("/profile/api-keys") },
  { name: "new API key", open: at("/profile/api-keys/new") },
  {
    name: "new API key, refused",
    async open(page) {
      await page.goto("/profile/api-keys/new");
      await page.getByRole("button", { name: "Make the API key" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "new API key, made", open: makeKey },
  {
    name: "API keys",
    async open(page) {
      await makeKey(page);
      await page.goto("/profile/api-keys");
    },
  },
  {
    name: "API keys, revoking one",
    async open(page) {
      await makeKey(page);
      await page.goto("/profile/api-keys");
      await page.getByRole("link", { name: "Revoke API key Reports" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  { name: "access groups", open: at("/users/roles") },
  { name: "new access group", open: at("/users/group") },
  { name: "access group", open: at("/users/group?id=1") },
  { name: "access group, members", open: at("/users/group?id=1&tab=members") },
  { name: "new access group, copied", open: at("/users/group?copy=2") },
  { name: "access group, history", open: at("/users/group?id=1&tab=history") },
  { name: "access group, removing", open: at("/users/group?id=1&dialog=remove") },
  {
    name: "new access group, refused",
    async open(page) {
      await page.goto("/users/group");
      await page.getByLabel("Docs: Read").check();
      await page.getByLabel("Scope for Users").selectOption("Branch");
      await page.getByRole("button", { name: "Add access group" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "user, history", open: at("/users/view/1?tab=history") },
  { name: "user, sessions", open: at("/users/view/1?tab=sessions") },
  { name: "user, erasing", open: formerUser },
  {
    name: "user, erased",
    async open(page) {
      await formerUser(page);
      await page.getByRole("dialog").getByRole("button", { name: "Erase personal data" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Removed user \d+$/);
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

test("a user whose invitation was not delivered has no violations", async ({ page, context }) => {
  const mail = await startMailServer();
  mail.answer = 550;
  const server = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  const client = await signInClient(server.url);
  await client.post("/users/new", { name: "Una Uninvited", email: "una@hallam.example", staff: "Accountant" });
  await until(() => server.output().includes("message dropped"), "the mail server to refuse");
  await context.addCookies([browserCookie(client)]);
  await page.goto(`${server.url}/users/list?name=una`);
  await page.getByRole("link", { name: "Info Una Uninvited" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await inspect(page, "user, whose invitation could not be delivered");
  await server.stop();
  await mail.stop();
});
