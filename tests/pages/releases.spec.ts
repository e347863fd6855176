import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { at, inspect, type State } from "../support/page-states.ts";
import { signIn } from "../support/sample.ts";
import type { TestServer } from "../support/server.ts";
import { oneIn } from "../support/shares.ts";
import { inDatabase } from "../support/stored.ts";
import { addPicture, openDetails } from "../support/wizard.ts";

// Rules hold for the whole company.
test.use({ serverEnv: {} });

/** The addresses of what a colleague drafted, which waits for Helen Marsh, and of what was returned to her. */
let waiting = "";
let returned = "";

/** Makes Helen Marsh a user who may release, and a colleague draft a permit, and a new version of one, with two releasers. */
async function setUp(page: Page, server: TestServer) {
  if (waiting) return;
  const { url } = server;
  const tokenOf = async (email: string) => {
    const reply = await page.request.post(`${url}/api/login`, { data: { email, password: signIn.password } });
    return { authorization: `Bearer ${((await reply.json()) as { token: string }).token}` };
  };
  const [helen, aoife] = [await tokenOf(signIn.email), await tokenOf("aoife@hallam.example")];
  const groups = await page.request.get(`${url}/api/access-groups`, { headers: helen });
  const group = ((await groups.json()) as { id: number; name: string }[]).find(({ name }) => name === "Administrator")!;
  const released = await page.request.put(`${url}/api/access-groups/${group.id}`, {
    headers: helen,
    data: { ...group, docs: "C:R/W/C/L" },
  });
  expect(released.status()).toBe(200);
  const draft = async (fields: Record<string, string>, headers = aoife) => {
    const { name, mimeType, buffer } = await picture("page.png");
    const reply = await page.request.post(`${url}/api/documents/storeDocument`, {
      headers,
      multipart: {
        document_type: "Permit",
        document_subtype: "Vehicle",
        date: "2026-11-20",
        expire_type: "never",
        access_type: "QR access",
        users_access_group: "Branch staff",
        email: "aoife@hallam.example",
        ...fields,
        "files[]": { name, mimeType, buffer },
      },
    });
    expect(reply.status()).toBe(201);
    return (await reply.json()) as { id: number; awaiting_release: number };
  };
  const older = await draft({ name: "Permit of a van" });
  const rule = { document_type: "Permit", releasers: "2", withdrawals: "1" };
  expect((await page.request.post(`${url}/api/release-rules`, { headers: helen, data: rule })).status()).toBe(201);
  const amount = { "custom_fields[0][name]": "Amount", "custom_fields[0][value]": "12,000 EUR" };
  const held = await draft({ name: "Permit of a lorry", replaces: String(older.id), ...amount });
  waiting = `/documents/releases/${held.awaiting_release}`;
  const { awaiting_release: own } = await draft({ name: "W".repeat(100), email: signIn.email }, helen);
  const reason = `It is ${"longer".repeat(30)} than a line.\nAnd has another one.`;
  inDatabase(server, (database) =>
    database.prepare("update releases set state = 'returned', reason = ? where id = ?").run(reason, own),
  );
  returned = `/documents/releases/${own}`;
}

const opened =
  (dialog = "") =>
  async (page: Page) =>
    void (await page.goto(waiting + dialog));

const states: State[] = [
  { name: "what awaits release", open: at("/documents/releases") },
  {
    name: "what awaits release, nothing ticked",
    async open(page) {
      await page.goto("/documents/releases");
      await page.getByRole("button", { name: "Release selected" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "what awaits release, own", open: at("/documents/releases?tab=own") },
  { name: "what awaits release, beyond the last page", open: at("/documents/releases?page=9") },
  { name: "release", open: opened() },
  { name: "release, not there", open: at("/documents/releases/99999") },
  { name: "release, returned", open: (page) => at(returned)(page) },
  { name: "release, giving up", open: (page) => at(`${returned}?dialog=give-up`)(page) },
  {
    name: "wizard, awaiting release",
    async open(page) {
      await openDetails(page, "Permit", "Vehicle");
      await page.getByLabel("Expire type").selectOption("Never");
      await page.getByLabel("Document name").fill("Permit of a bus");
      await addPicture(page, true);
      await expect(page.getByText("release this document after you create it")).toBeVisible();
    },
  },
  { name: "release, asking", open: opened("?dialog=release") },
  {
    name: "release, not returned",
    async open(page) {
      await page.goto(`${waiting}?dialog=return`);
      await page.getByRole("dialog").getByRole("button", { name: "Return it" }).click();
      await expect(page.getByRole("dialog")).toContainText("Enter the reason");
    },
  },
  { name: "release, page", open: opened("?dialog=page&at=1") },
  { name: "dashboard with what awaits release", open: at("/dashboard") },
  { name: "release rules", open: at("/settings/release-rules") },
  { name: "release rules, changing", open: at("/settings/release-rules?dialog=change-rule&at=1") },
  { name: "release rules, removing", open: at("/settings/release-rules?dialog=remove-rule&at=1") },
  {
    name: "release rules, refused",
    async open(page) {
      await page.goto("/settings/release-rules?dialog=add-rule");
      await page.getByLabel("From this amount on").fill("ten");
      await page.getByRole("dialog").getByRole("button", { name: "Add a rule" }).click();
      await expect(page.getByRole("dialog")).toContainText("Enter the amount in digits");
    },
  },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, server, signInAs }) => {
    await setUp(page, server);
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
