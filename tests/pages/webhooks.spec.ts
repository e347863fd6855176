import type { Page } from "@playwright/test";
import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { expect, test } from "../support/journey.ts";
import { inspect } from "../support/page-states.ts";

// One after the other on a server of their own: a company has ten webhooks at most.
test.use({ serverEnv: { WEBHOOK_ALLOWED_HOSTS: "127.0.0.1" } });
test.describe.configure({ mode: "serial" });

const longName = "Ledger-of-the-northern-branches-with-a-name-that-goes-on-and-on-as-people-write-them";

async function add(page: Page, url: string) {
  await page.goto("/webhooks/new");
  await page.getByRole("textbox", { name: "Name" }).fill(longName);
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByLabel("Secret", { exact: true })).toBeVisible();
}

test("the pages of a webhook have no violations, from the first to a failing and a removed one", async ({
  page,
  signInAs,
}) => {
  const receiver = await startReceiver();
  const show = async (path: string, name: string) => {
    await page.goto(path);
    await inspect(page, name);
  };
  await signInAs();
  await show("/webhooks", "webhooks, none");
  await show("/webhooks/new", "webhook, new");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await inspect(page, "webhook, refused");
  await add(page, `${receiver.url}/${"a-long-path".repeat(20)}`);
  await inspect(page, "webhook, added");
  const { pathname } = new URL(page.url());
  await show(pathname, "webhook, without deliveries");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => receiver.received.length).toBe(1);
  receiver.answer = (response) => void response.writeHead(500).end("x".repeat(2000));
  await page.goto(pathname);
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("1 attempt failed since")).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await inspect(page, "webhook, failing");
  await show(`${pathname}?state=Given+up`, "webhook, no match");
  for (const dialog of ["rotate", "disable", "replay"])
    await show(`${pathname}?dialog=${dialog}`, `webhook, ${dialog}`);
  await show("/webhooks", "webhooks, one that fails");
  await page.goto(pathname);
  await page.getByRole("link", { name: "webhook.test", exact: true }).first().click();
  await inspect(page, "delivery, waiting");
  receiver.answer = (response) => void response.writeHead(410).end();
  await page.getByRole("button", { name: "Send now" }).click();
  await expect(async () => {
    await page.goto(pathname);
    await expect(page.getByText("(status 410)")).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await inspect(page, "webhook, gone");
  await show("/webhooks", "webhooks, one that is off");
  await show(`${pathname}/edit`, "webhook, edited");
  await show(`${pathname}/edit?dialog=remove`, "webhook, removing");
  await show(`${pathname}/deliveries/999999`, "delivery, not there");
  await show("/webhooks/999999", "webhook, not there");
  await receiver.close();
});
