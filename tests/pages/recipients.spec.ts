import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { dialog } from "../support/page-parts.ts";
import { at, inspect, type State } from "../support/page-states.ts";
import { sentDocument } from "../support/recipients.ts";
import type { TestServer } from "../support/server.ts";
import { oneIn } from "../support/shares.ts";
import { inDatabase } from "../support/stored.ts";

// Sending is turned on for the whole company.
test.use({ serverEnv: {} });

/** The address of a document with recipients in every state, and its number. */
let sent = { path: "", number: "" };

const at2026 = "2026-11-20T10:00:00.000Z";
const reply = `550 5.1.1 <W@recipient.example>: ${"user-unknown-".repeat(12)} see https://mail.example/550`;

/** What became of each recipient's mail, with names and addresses as long as they may be. */
const outcomes: Record<string, string | null>[] = [
  { bounced_at: at2026, bounce: reply },
  { bounced_at: at2026 },
  { bounce: "451 Not now", waiting: "1" },
  { waiting: "1" },
  { ended_at: at2026, sent_at: at2026 },
  { sent_at: at2026, opened_at: at2026, downloaded_at: at2026 },
  { name: "W".repeat(100), email: `${"w".repeat(60)}@${"recipient".repeat(6)}.example`, sent_at: at2026 },
  { name: "مستلم الوثيقة", sent_at: at2026, opened_at: at2026 },
];

async function setUp(server: TestServer) {
  if (sent.path) return;
  sent = await sentDocument(server);
  inDatabase(server, (database) => {
    outcomes.forEach(({ waiting, ...outcome }, n) => {
      const row = { name: `Reader ${n}`, email: `reader${n}@recipient.example`, ...outcome };
      const [columns, values] = [Object.keys(row), Object.values(row)];
      const { lastInsertRowid: id } = database
        .prepare(
          `insert into recipients (company_id, document_id, language, created_at, email_key, ${columns.join()})
           select company_id, document_id, language, created_at, ?, ${columns.map(() => "?").join()} from recipients limit 1`,
        )
        .run(`reader${n}`, ...values);
      const mail = "insert into recipient_mails (recipient_id, kind, language, message_id, created_at, next_at)";
      if (waiting) database.prepare(`${mail} values (?, 'link', 'en', ?, ?, '2999')`).run(id, `m${n}`, at2026);
    });
  });
}

const opened =
  (query = "") =>
  async (page: Page) =>
    void (await page.goto(sent.path + query));

/** Presses the button of a dialog that refuses, and waits for what it says. */
const refused = (query: string, button: string, words: string) => async (page: Page) => {
  await page.goto(query.startsWith("/") ? query : sent.path + query);
  await dialog(page).getByRole("button", { name: button }).click();
  await expect(dialog(page)).toContainText(words);
};

const remindingMany = async (page: Page) => {
  const filters = encodeURIComponent(`number=${sent.number}`);
  await page.goto(`/bulk-actions/new?list=documents&act=remind&all=1&filters=${filters}`);
};

const states: State[] = [
  { name: "document, sent to nobody", open: at("/documents/8") },
  { name: "document, sent to many", open: opened() },
  { name: "document, sending", open: opened("?dialog=send") },
  { name: "document, not sent", open: refused("?dialog=send", "Send", "Enter the name") },
  { name: "document, reminding", open: opened("?dialog=remind-recipient&at=1") },
  { name: "document, ending a link", open: opened("?dialog=end-recipient&at=1") },
  { name: "documents, not delivered", open: at("/documents/list?mail=undelivered") },
  { name: "documents, none not opened", open: at("/documents/archive?mail=unopened") },
  { name: "documents, reminding many", open: remindingMany },
  {
    name: "documents, many reminded",
    async open(page) {
      await remindingMany(page);
      await page.getByRole("button", { name: "Remind recipients" }).click();
      await expect(page.getByRole("cell", { name: "Refused" })).toBeVisible();
    },
  },
  { name: "settings, recipients", open: at("/settings/recipients") },
  {
    name: "settings, recipients refused",
    async open(page) {
      await page.goto("/settings/recipients");
      await page.getByLabel("Days that a link opens its document").fill("no");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "settings, erasing a recipient", open: at("/settings/recipients?dialog=erase-recipient") },
  {
    name: "settings, recipient not erased",
    open: refused("/settings/recipients?dialog=erase-recipient", "Erase a recipient", "Enter"),
  },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, server, signInAs }) => {
    await setUp(server);
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
