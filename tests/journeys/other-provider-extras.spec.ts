import type { Page } from "@playwright/test";
import { pageUserAt } from "../support/form-client.ts";
import { expect, test } from "../support/other-journey.ts";

/** What the provider would need more than the ten calls for: where its ways would be, and the addresses behind them. */
type Extra = {
  what: string;
  /** As pages name it: “Your provider does not offer …”. */
  said: string;
  /** Links, buttons, headings and fields, by the page on which they would be. */
  entries: Record<string, RegExp[]>;
  addresses: string[];
  /** Addresses of files: they answer with a line of text. */
  files?: string[];
  /** Forms that no page shows, by their address. */
  forms?: [address: string, fields?: Record<string, string>][];
};

const lists = ["/documents/list", "/documents/archive"];
const onLists = (...names: RegExp[]) => Object.fromEntries(lists.map((path) => [path, names]));

const extras: Extra[] = [
  {
    what: "bulk issue",
    said: "issuing many documents at once",
    entries: { "/documents/list": [/^Issue many/] },
    addresses: [
      "/documents/bulk",
      "/documents/bulk/new",
      "/documents/bulk/1",
      ...["what", "content", "check", "run", "labels"].map((step) => `/documents/bulk/1/${step}`),
    ],
    files: ["result.csv", "refused.csv", "sealed.zip", "rows/2"].map((file) => `/files/bulk-issues/1/${file}`),
    forms: [["/documents/bulk/new"], ["/documents/bulk/1/content"], ["/documents/bulk/1/run", { intent: "run" }]],
  },
  {
    what: "templates",
    said: "templates",
    entries: { "/settings": [/template/i], "/documents/list": [/template/i] },
    addresses: [
      "/documents/templates",
      "/documents/templates/new",
      "/documents/templates/1",
      "/documents/templates/1/edit",
    ],
    files: ["/files/templates/1/preview"],
    forms: [["/documents/templates/1"]],
  },
  {
    what: "imports",
    said: "imports",
    entries: { "/settings": [/^Import/], "/users/view/7": [/^Import/] },
    addresses: ["users", "branches"].flatMap((noun) =>
      ["", "/1", "/1/refused.csv"].map((end) => `/${noun}/import${end}`),
    ),
    forms: [["/users/import/1"], ["/branches/import/1"]],
  },
  {
    what: "bulk actions",
    said: "changing many records at once",
    entries: onLists(/^Select/, /that match$/, /^(Restore|Exited|Prolong|Change group|Export selected)$/),
    addresses: ["/bulk-actions/new", "/bulk-actions/new?list=documents&act=archive&id=101", "/bulk-actions/1"],
    forms: [["/bulk-actions/new?list=documents&act=archive&id=101"], ["/bulk-actions/1", { intent: "undo" }]],
  },
  {
    what: "labels",
    said: "labels",
    entries: { ...onLists(/label/i), "/documents/101": [/label/i] },
    addresses: ["/documents/labels", "/documents/labels?ids=101", "/documents/101/labels"],
    files: ["/files/labels.pdf?ids=101", "/files/labels.pdf?all=1"],
  },
  {
    what: "archives of sealed PDFs",
    said: "sealed PDFs of several documents",
    entries: { ...onLists(/^Sealed PDFs/), "/documents/101": [/proof/i] },
    addresses: ["/documents/sealed-pdfs?ids=101"],
    files: ["/files/sealed-pdfs.zip?ids=101"],
  },
  {
    what: "number ranges",
    said: "number ranges",
    entries: { "/settings": [/number range/i] },
    addresses: ["/settings/number-ranges", "/settings/number-ranges/new", "/settings/number-ranges/1"],
    forms: [["/settings/number-ranges/new"], ["/settings/number-ranges/1"]],
  },
  {
    what: "releases",
    said: "releases by another user",
    entries: {
      "/documents/list": [/awaiting release/i],
      "/settings": [/release/i],
      "/users/group?id=1": [/^Docs: Release/],
    },
    addresses: ["/documents/releases", "/documents/releases/1", "/settings/release-rules"],
    files: ["/files/releases/1/pages/1", "/files/releases/1/pages/1/thumbnail"],
    forms: [["/documents/releases"], ["/documents/releases/1", { intent: "release" }], ["/settings/release-rules"]],
  },
  {
    what: "wallets",
    said: "adding documents to wallets",
    entries: { "/settings": [/wallet/i], "/documents/101": [/wallet/i] },
    addresses: ["/settings/wallet", "/documents/101/wallet"],
    forms: [["/settings/wallet", { active: "1" }], ["/documents/101/wallet"]],
  },
  {
    what: "recipients",
    said: "sending documents",
    entries: { ...onLists(/remind/i), "/documents/101": [/recipient/i, /^Send$/], "/settings": [/recipient/i] },
    addresses: ["/settings/recipients"],
    forms: [["/settings/recipients", { intent: "set-recipients", delivers: "1", delivery_days: "90" }]],
  },
  {
    what: "receipts",
    said: "receipts of documents",
    entries: { "/documents/101": [/receipt/i] },
    addresses: [],
    files: ["/files/documents/101/receipt.pdf"],
  },
  {
    what: "withdrawal reasons",
    said: "withdrawal reasons",
    entries: { "/settings": [/reason/i], "/documents/101": [/^Exited/, /reason/i] },
    addresses: ["/settings/withdrawal-reasons"],
  },
  {
    what: "calendar and feed",
    said: "a calendar",
    entries: { "/dashboard": [/expires? soon/], "/documents/list": [/^Calendar/] },
    addresses: ["/documents/calendar", "/documents/calendar?month=2026-12", "/documents/calendar?dialog=end-address"],
    forms: [
      ["/documents/calendar", { intent: "new-address" }],
      ["/documents/calendar", { intent: "end-address" }],
    ],
  },
  {
    what: "alerts’ rules",
    said: "alert rules",
    entries: { "/settings": [/rules/i], "/alerts/1": [/rules/i] },
    addresses: ["/alerts/rules", "/alerts/rules/travel", "/alerts/rules/travel?max_km_per_hour=5"],
    forms: [["/alerts/rules/travel"]],
  },
  {
    what: "alerts’ evidence",
    said: "evidence of alerts",
    entries: { "/alerts/1": [/evidence/i] },
    addresses: [],
    files: ["/files/alerts/1/evidence.pdf"],
  },
  {
    what: "search",
    said: "search",
    entries: { "/dashboard": [/search/i], "/documents/list": [/search/i], "/alerts/1": [/search/i] },
    addresses: ["/search", "/search?q=charter", "/search/key"],
    forms: [["/search/key", { slash: "off" }]],
  },
  {
    what: "saved views",
    said: "saved views",
    entries: { "/dashboard": [/view(s|ed)$/i], ...onLists(/^Save as a view/, /^Change view/, /more views/) },
    addresses: ["/views/new", "/views/new?list=documents", "/views/1"],
    forms: [["/views/new?list=documents"], ["/views/1"]],
  },
  {
    what: "cases and their figures",
    said: "alerts",
    entries: {
      "/dashboard": [/^How alerts were handled/, /^Mine:/],
      "/alerts/1": [/^Assign/, /^Take/, /^Give back/, /comment/i, /^Owner/, /^Similar/, /^(Complete|Reopen)/],
    },
    addresses: ["/alerts", "/alerts?owner=me&state=Open", "/alerts.csv"],
    forms: ["assign", "comment", "remove-comment", "complete", "reopen"].map((intent) => ["/alerts/1", { intent }]),
  },
];

test.beforeEach(({ signInAs }) => signInAs());

for (const { what, said, entries, addresses, files = [], forms = [] } of extras) {
  const message = `Your provider does not offer ${said}.`;

  test(`${what}: no page has a way there, and the address says that it is not offered`, async ({ page }) => {
    for (const [path, names] of Object.entries(entries)) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      for (const name of names) for (const way of waysCalled(page, name)) await expect(way, path).toHaveCount(0);
    }
    for (const address of addresses) {
      expect((await page.goto(address))?.status(), address).toBe(501);
      await expect(page.getByRole("main"), address).toContainText(message);
      await expect(page.getByRole("main").getByRole("link", { name: "Go to the dashboard" })).toBeVisible();
    }
    for (const file of files) {
      const answer = await page.request.get(file);
      expect([answer.status(), await answer.text()], file).toEqual([501, `${message}\n`]);
      expect(answer.headers()["content-type"], file).toMatch(/^text\/plain/);
    }
  });

  if (forms.length === 0) continue;
  test(`${what}: a form that no page shows is answered with a page that says so`, async ({ page, other }) => {
    const page_user = await pageUserAt(page);
    for (const [address, fields = {}] of forms) {
      const form = { page_user, ...fields };
      const answer = await page.request.post(address, { form, maxRedirects: 0 });
      expect(answer.status(), address).toBe(501);
      expect(await answer.text(), address).toContain(message);
    }
    expect(other.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
}

const waysCalled = (page: Page, name: RegExp) =>
  (["link", "button", "heading", "checkbox", "searchbox", "textbox", "combobox"] as const).map((role) =>
    page.getByRole(role, { name }),
  );

test("new versions: a document has no button for one, and a form that asks for one is refused", async ({
  page,
  other,
}) => {
  await page.goto("/documents/101?dialog=new-version");
  for (const way of waysCalled(page, /new version/i)) await expect(way).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const form = { page_user: await pageUserAt(page), intent: "new-version" };
  const answer = await page.request.post("/documents/101", { form });
  expect(await answer.text()).toContain("Your provider does not offer new versions of documents.");
  expect(other.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("dialogs of what is not offered stay closed", async ({ page }) => {
  for (const dialog of ["assign", "complete", "reopen", "remove-comment&at=1"]) {
    expect((await page.goto(`/alerts/1?dialog=${dialog}`))?.status(), dialog).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fake scan of Charter 1");
    await expect(page.getByRole("dialog"), dialog).toHaveCount(0);
  }
  await page.goto("/documents/list?view=1");
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Saved views" })).toHaveCount(0);
});

test("no credential is called genuine by a provider that knows none", async ({ page, other }) => {
  expect((await page.request.post("/v/credential", { form: { credential: "eyJ~" } })).status()).toBe(501);
  expect(other.requests.filter(({ path }) => path.includes("credential"))).toEqual([]);
});

test("strangers with an address of a calendar feed or of a newer version find nothing", async ({ page }) => {
  const feed = await page.request.get(`/calendar/${"a".repeat(43)}.ics`);
  expect([feed.status(), await feed.text()]).toEqual([404, "There is no such calendar.\n"]);
  expect((await page.goto("/v/4C7H29KD3P172XQ08/newer"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not issued by us");
});
