import { expect, test } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { picture } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";
import { at, inspect, type State } from "../support/page-states.ts";

const states: State[] = [
  { name: "dashboard", open: at("/dashboard") },
  { name: "dashboard, logging out", open: at("/dashboard?dialog=logout") },
  { name: "logout", open: at("/logout") },
  {
    name: "another user's form",
    async open(page) {
      await page.goto("/users/new");
      await page.getByLabel("Name", { exact: true }).fill("Ida Shared");
      await page.getByLabel("Password", { exact: true }).fill("a password of some length");
      await page.getByLabel("Image").setInputFiles(await picture("ida.png"));
      const form = { email: "aoife@hallam.example", password: signIn.password };
      await page.request.post("/logout", { maxRedirects: 0 });
      await page.request.post("/login", { form, maxRedirects: 0 });
      await page.getByRole("button", { name: "Add user" }).click();
      await expect(page.getByRole("button", { name: "Save as Aoife Byrne" })).toBeVisible();
    },
  },
  { name: "company profile", open: at("/branches/profile") },
  { name: "company profile, editing", open: at("/branches/profile?edit") },
  {
    name: "company profile, refused",
    async open(page) {
      await page.goto("/branches/profile?edit");
      await page.getByLabel("Name").fill("");
      await page.getByRole("button", { name: "Update" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "company profile, branches", open: at("/branches/profile?tab=branches") },
  { name: "settings", open: at("/settings") },
  { name: "settings, first seal key", open: at("/settings/seal-keys") },
  {
    name: "settings, seal keys",
    async open(page) {
      await page.goto("/settings/seal-keys?dialog=rotate-seal-key");
      await page.getByRole("button", { name: "Make new key" }).click();
      await expect(page.getByText("is published and used in a day")).toBeVisible();
    },
  },
  { name: "settings, wallets", open: at("/settings/wallet") },
  { name: "settings, a new seal key", open: at("/settings/seal-keys?dialog=rotate-seal-key") },
  {
    name: "settings, seal key not revoked",
    async open(page) {
      await page.goto("/settings/seal-keys");
      await page.getByRole("link", { name: "Revoke key" }).first().click();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await expect(page.getByRole("dialog")).toContainText("Choose a reason");
    },
  },
  { name: "settings, withdrawal reasons", open: at("/settings/withdrawal-reasons") },
  {
    name: "settings, a reason refused",
    async open(page) {
      await page.goto("/settings/withdrawal-reasons?dialog=add-reason");
      await page.getByRole("dialog").getByRole("button", { name: "Add reason" }).click();
      await expect(page.getByRole("dialog")).toContainText("Enter the reason");
    },
  },
  { name: "settings, single sign-on", open: at("/settings/single-sign-on") },
  {
    name: "settings, single sign-on refused",
    async open(page) {
      await page.goto("/settings/single-sign-on");
      await page.getByRole("button", { name: "Set up single sign-on" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "settings, own hosts", open: at("/settings/hosts") },
  {
    name: "settings, own host refused",
    async open(page) {
      await page.goto("/settings/hosts");
      await page.getByRole("button", { name: "Request this host" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "settings, own host requested",
    async open(page) {
      await page.goto("/settings/hosts");
      await page.getByLabel("Host", { exact: true }).fill("check.hallam.example");
      await page.getByRole("button", { name: "Request this host" }).click();
      await expect(page.getByRole("region", { name: "check.hallam.example" })).toBeVisible();
    },
  },
  { name: "number ranges, none", open: at("/settings/number-ranges") },
  { name: "number range, new", open: at("/settings/number-ranges/new") },
  {
    name: "number range, refused",
    async open(page) {
      await page.goto("/settings/number-ranges/new?next_number=HR&preview=1");
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "number ranges",
    async open(page) {
      await page.goto("/settings/number-ranges/new?next_number=PR-0001&preview=1");
      await page.getByRole("button", { name: "Add number range" }).click();
      await page.getByRole("link", { name: "Edit All documents" }).click();
      await page.getByRole("button", { name: "Remove number range" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.getByRole("dialog").getByRole("button", { name: "Remove number range" }).click();
    },
  },
  { name: "branches", open: at("/branches/list") },
  { name: "branches, not found", open: at("/branches/list?country=nowhere") },
  { name: "branch", open: at("/branches/view/1") },
  { name: "branch, users", open: at("/branches/view/1?tab=users") },
  { name: "branch, adding a user", open: at("/branches/view/1?dialog=add-user") },
  { name: "branch, users found", open: at("/branches/view/1?dialog=add-user&search=hallam") },
  {
    name: "branch, user refused",
    async open(page) {
      await page.goto("/branches/view/1?dialog=add-user&search=nobody");
      await page.getByRole("button", { name: "Add user" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "branch, not there", open: at("/branches/view/99999") },
  { name: "branch, removing", open: at("/branches/edit/1?dialog=remove") },
  {
    name: "branch, not removed",
    async open(page) {
      await page.goto("/branches/edit/1?dialog=remove");
      await page.getByRole("dialog").getByRole("button", { name: "Remove branch" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "new branch, refused",
    async open(page) {
      await page.goto("/branches/new");
      await page.getByRole("button", { name: "Add branch" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "tariffs", open: at("/tariffs") },
  { name: "tariffs, changing", open: at("/tariffs?dialog=change&at=5") },
  {
    name: "tariffs, refused",
    async open(page) {
      await page.goto("/tariffs?dialog=change&at=1");
      await page.getByRole("button", { name: "Change to BronzeState 1" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "tariffs, by agreement", open: at("/tariffs?dialog=contact&at=8") },
  { name: "help", open: at("/help") },
  { name: "help, last page", open: at("/help?page=4") },
  { name: "help, not found", open: at("/help?search=xyzzy") },
  { name: "branch, no history", open: at("/branches/view/1?tab=history") },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
