import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { addPages, browserCookie, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { startMailServer } from "../support/mail-server.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { fuzzing, settings } from "../support/settings.ts";
import { todaysShare } from "../support/daily-shares.ts";
import { fillDraft, next, step } from "../support/wizard.ts";

/** Every page in each of its states: for assistive technology, as HTML, and on narrow screens. */

type State = {
  name: string;
  /** Brings the page there. */
  open(page: Page): Promise<void>;
  isGuest?: boolean;
};

const at = (path: string) => async (page: Page) => void (await page.goto(path));

/** Opens the page behind the code of a new document, which nobody signed in looks at. */
const code = (intent?: string) => async (page: Page) => {
  await page.goto("/v");
  const client = await signInClient(new URL(page.url()).origin);
  const draft = await startDraft(client, "Document to look up");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const path = await create(client, draft);
  if (intent) await client.post(path, { intent });
  await page.goto(`/v/${await codeOf(client, path)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    intent ? "No longer in force" : "This document is in force",
  );
};

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

const guestStates: State[] = [
  { name: "login", open: at("/login") },
  {
    name: "login, refused",
    async open(page) {
      await page.goto("/login");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "forgot", open: at("/forgot") },
  {
    name: "forgot, refused",
    async open(page) {
      await page.goto("/forgot");
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "forgot, sent", open: at("/forgot?sent") },
  { name: "signup, dead link", open: at("/signup?token=dead") },
  { name: "confirm email, dead link", open: at("/confirm-email?token=dead") },
  { name: "code, to be typed", open: at("/v") },
  {
    name: "code, a report refused",
    async open(page) {
      await code()(page);
      await page.getByText("Report a problem").click();
      await page.getByRole("button", { name: "Send report" }).click();
      await expect(page.getByText("Enter the problem")).toBeVisible();
    },
  },
  { name: "code, mistyped", open: at("/v/12345") },
  { name: "code, not issued", open: at("/v/00000000000000000") },
  { name: "code, in force", open: code() },
  { name: "code, no longer in force", open: code("exit") },
  { name: "congratulations", open: at("/congratulations") },
  { name: "404", open: at("/no/such/page") },
];

const wizardError = async (page: Page) => {
  await next(page);
  await expect(page.getByRole("alert")).toBeVisible();
};

const signedInStates: State[] = [
  { name: "dashboard", open: at("/dashboard") },
  { name: "dashboard, logging out", open: at("/dashboard?dialog=logout") },
  { name: "logout", open: at("/logout") },
  { name: "documents", open: at("/documents/list") },
  { name: "documents, all", open: at("/documents/list?per_page=50&sort=-name") },
  { name: "documents, not found", open: at("/documents/list?name=leese&branch=Lancaster") },
  { name: "archive, empty", open: at("/documents/archive") },
  { name: "document", open: at("/documents/8") },
  { name: "document, custom properties", open: at("/documents/8?tab=custom") },
  { name: "document, no custom properties", open: at("/documents/1?tab=custom") },
  { name: "document, QR", open: at("/documents/8?dialog=qr") },
  { name: "document, page", open: at("/documents/8?dialog=page&at=2") },
  { name: "document, archiving", open: at("/documents/8?dialog=archive") },
  { name: "document, not there", open: at("/documents/99999") },
  { name: "edit", open: at("/documents/edit/8") },
  {
    name: "edit, refused",
    async open(page) {
      await page.goto("/documents/edit/8");
      await page.getByLabel("Document name").fill("");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
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
      await page.getByRole("button", { name: "Remove branch" }).click();
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
  { name: "users", open: at("/users/list") },
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
      await page.getByRole("link", { name: "Remove user" }).click();
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
  { name: "alerts", open: at("/alerts") },
  { name: "alerts, not found", open: at("/alerts?name=nothing") },
  { name: "alert", open: at("/alerts/5") },
  { name: "alert, completing", open: at("/alerts/5?dialog=complete") },
  {
    name: "alert, completing, refused",
    async open(page) {
      await page.goto("/alerts/5?dialog=complete");
      await page.getByRole("button", { name: "Complete alert" }).click();
      await expect(page.getByText("Enter a note")).toBeVisible();
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
  { name: "alert, history", open: at("/alerts/4?tab=history") },
  { name: "map", open: at("/map") },
  { name: "map, a part of it", open: at("/map?bbox=-2.4,53.4,-2.1,53.6&kind=scans") },
  {
    name: "map, removing a place",
    async open(page) {
      await page.goto("/map");
      await page.getByRole("link", { name: "Remove place" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  { name: "map, not found", open: at("/map?number=nothing&date_to=31-02-2026") },
  { name: "help", open: at("/help") },
  { name: "help, last page", open: at("/help?page=4") },
  { name: "help, not found", open: at("/help?search=xyzzy") },
  { name: "access groups", open: at("/users/roles") },
  { name: "new access group", open: at("/users/group") },
  { name: "access group", open: at("/users/group?id=1") },
  { name: "access group, history", open: at("/users/group?id=1&tab=history") },
  { name: "access group, removing", open: at("/users/group?id=1&dialog=remove") },
  {
    name: "new access group, refused",
    async open(page) {
      await page.goto("/users/group");
      await page.getByLabel("Docs: Read").check();
      await page.getByLabel("Reach of Users").selectOption("Branch");
      await page.getByRole("button", { name: "Add group" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "document, readers", open: at("/documents/8?dialog=readers") },
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
  { name: "audit trail, access", open: at("/audit?trail=Access&per_page=50") },
  { name: "branch, no history", open: at("/branches/view/1?tab=history") },
  { name: "document, history", open: at("/documents/8?tab=history") },
  { name: "audit trail", open: at("/audit?per_page=50") },
  { name: "audit trail, not found", open: at("/audit?actor=nobody") },
  { name: "wizard, type", open: at("/documents/new") },
  {
    name: "wizard, type, refused",
    async open(page) {
      await page.goto("/documents/new");
      await wizardError(page);
    },
  },
];

/** The wizard's later steps need a draft, which one test walks through all of them. */
const wizardSteps: { path: string; label: "Type" | "Details" | "Pages" | "Review" }[] = [
  { path: "", label: "Type" },
  { path: "/fields", label: "Details" },
  { path: "/fields?tab=custom", label: "Details" },
  { path: "/fields?check", label: "Details" },
  { path: "/pages", label: "Pages" },
  { path: "/pages?dialog=page&at=1", label: "Pages" },
  { path: "/review", label: "Review" },
  { path: "/review?tab=custom", label: "Review" },
  { path: "?dialog=discard", label: "Type" },
];

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React writes attributes and void elements in its own way, which is as good.
    "attr-case": "off",
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    // The title names the product last; a long document name may take it over the limit.
    "long-title": "off",
    // Cards on phones lose a table's meaning unless the roles are written out (docs/look.md, section 6).
    "no-redundant-role": "off",
    "prefer-native-element": "off",
    // Styling is by classes; the policy forbids the rest.
    "no-inline-style": "error",
    // Any character but a space, as HTML has it: fields are named like custom_fields[0][name].
    "valid-id": ["error", { relaxed: true }],
    // All scripts and sheets are our own.
    "require-sri": ["error", { target: "crossorigin" }],
    // Phone numbers and codes are shown, never dialled.
    "tel-non-breaking": "off",
    // One form's buttons share a name: which was pressed is its value.
    "form-dup-name": ["error", { shared: ["radio", "button", "submit", "reset", "checkbox"] }],
  },
});

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What is wrong with a page as it stands: by all rules, or by those that colours alone can break. */
async function findings(page: Page, rules: "all" | "colours"): Promise<string[]> {
  // Our pages have no frames, for whose sake the other mode takes three times as long.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const chosen = rules === "all" ? axe.withTags(standards) : axe.withRules(["color-contrast", "link-in-text-block"]);
  const { violations } = await chosen.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
}

async function sourceFindings(page: Page): Promise<string[]> {
  // As the server wrote it; what the browser made of it would hide what is wrong.
  const html = await (await page.request.get(page.url())).text();
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const around = html.split("\n")[line - 1]!.slice(Math.max(0, column - 60), column + 100);
      return `${ruleId}: ${message} in …${around}…`;
    }),
  );
}

const isSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Whether every page gets every pass of axe; otherwise the wide light one or the narrow dark one, which the seed chooses. */
const { isThorough } = settings;
const { seed } = fuzzing();

/** Looks at the open page wide and narrow, and at its source. */
async function inspect(page: Page, name: string) {
  const isWide = (name.length + seed) % 2 === 0;
  await page.emulateMedia({ colorScheme: "light" });
  if (isThorough || isWide) expect.soft(await findings(page, "all"), `axe, ${name}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  if (isThorough) expect.soft(await findings(page, "colours"), `axe, ${name}, dark`).toEqual([]);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await isSideways(page), `${name} scrolls sideways at ${width} px`).toBe(false);
  }
  if (isThorough || !isWide) expect.soft(await findings(page, "all"), `axe, ${name}, dark at 320 px`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect.soft(await sourceFindings(page), `HTML of ${name}`).toEqual([]);
}

for (const { name, open } of todaysShare(guestStates, 4)) {
  test(`${name} is clean, and ships no script`, async ({ page }) => {
    await open(page);
    expect(await page.locator("script").count()).toBe(0);
    await inspect(page, name);
  });
}

for (const { name, open } of todaysShare(signedInStates, 4)) {
  test(`${name} is clean`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}

test("the wizard is clean in every step", async ({ page, signInAs }) => {
  await signInAs();
  await fillDraft(page, true, "Draft to look at");
  const draft = new URL(page.url()).pathname.replace(/\/review$/, "");
  for (const { path, label } of wizardSteps) {
    await page.goto(draft + path);
    await step(page, label);
    await inspect(page, `wizard ${path}`);
  }
});

test.describe("a company that has nothing yet", () => {
  let server: TestServer;
  test.beforeAll(async () => (server = await startServer()));
  test.afterAll(() => server.stop());

  test("is shown cleanly, from its first page on", async ({ page }) => {
    const link = /http\S+\/signup\?token=\S+/.exec(server.output())![0];
    await page.goto(link);
    await inspect(page, "signup, first start");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await inspect(page, "signup, refused");
    await page.getByLabel("Company’s name").fill("New Ltd");
    await page.getByLabel("Your name").fill("Nina New");
    await page.getByLabel("Your email").fill("nina@new.example");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Confirm password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await page.getByRole("link", { name: "Login now" }).click();
    await page.getByLabel("Email").fill("nina@new.example");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
    await inspect(page, "dashboard, empty");
    await page.goto(`${server.url}/documents/list`);
    await inspect(page, "documents, empty");
  });
});

test("a user whose invitation could not be delivered is shown cleanly", async ({ page, context }) => {
  const mail = await startMailServer();
  mail.answer = 550;
  const server = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  const client = await signInClient(server.url);
  await client.post("/users/new", { name: "Una Uninvited", email: "una@hallam.example", staff: "Accountant" });
  await until(() => server.output().includes("a message is given up"), "the mail server to refuse");
  await context.addCookies([browserCookie(client)]);
  await page.goto(`${server.url}/users/list?name=una`);
  await page.getByRole("link", { name: "Info Una Uninvited" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await inspect(page, "user, whose invitation could not be delivered");
  await server.stop();
  await mail.stop();
});

test("names without a single space break, and nothing scrolls sideways or is cut off", async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs();
  const client = await signInClient(server.url);
  const draft = await startDraft(client, `scan_2026_11_21_${"W".repeat(100)}.pdf`);
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const document = await create(client, draft);
  const wide = "W".repeat(100);
  await client.post("/branches/new", { name: wide, country: wide, city: wide, address: wide.repeat(3) });
  await page.goto("/branches/list?name=WWWW");
  const branch = (await page.getByRole("link", { name: wide, exact: true }).getAttribute("href"))!;
  const branches = [
    "/branches/list?name=WWWW",
    "/branches/profile?tab=branches&sort=-name",
    branch,
    `${branch}?dialog=add-user`,
  ];
  const paths = [...branches, "/documents/list", document, `${document}?dialog=qr`, `${document}?dialog=archive`];
  for (const path of [
    ...paths,
    document.replace("/documents", "/documents/edit"),
    `${branch.replace("/view", "/edit")}?dialog=remove`,
    `${document}?tab=history`,
    "/audit",
    `/documents/list?name=${"x".repeat(190)}`,
  ]) {
    await page.goto(path);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await isSideways(page), `${path} scrolls sideways at ${width} px`).toBe(false);
      const cut = await page
        .locator("table")
        .evaluateAll((tables) =>
          tables.some(
            (table) => table.getBoundingClientRect().right > table.closest(".panel")!.getBoundingClientRect().right + 1,
          ),
        );
      expect.soft(cut, `${path} cuts its table at ${width} px`).toBe(false);
    }
  }
});
