import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Receiver, startReceiver } from "../fixtures/webhook-receiver.ts";
import { expect, test as base, uniqueName } from "../support/journey.ts";
import { fact, main, notice } from "../support/page-parts.ts";

/** Webhooks from the first refusal to their removal, with a receiver on this machine, which the operator allows. */
const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

test.use({ serverEnv: { WEBHOOK_ALLOWED_HOSTS: "127.0.0.1" } });

/** Adds a webhook, and returns its secret. */
async function add(page: Page, name: string, url: string) {
  await page.goto("/webhooks/new");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await page.getByLabel("A document was issued").check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  return page.getByLabel("Secret", { exact: true }).inputValue();
}

const deliveries = (page: Page) => page.getByRole("table", { name: "Deliveries" });

/** Deliveries are made after the page was served. */
const reloadedUntil = (page: Page, text: string) =>
  expect(async () => {
    await page.reload();
    await expect(main(page)).toContainText(text, { timeout: 1000 });
  }).toPass({ timeout: 60_000 });

test("a company adds a webhook, tries it, and sees what was delivered", async ({ page, signInAs, receiver }) => {
  await signInAs();
  await page.goto("/settings");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "Add webhook" }).first().click();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const refusal = page.getByRole("alert");
  for (const message of ["Enter the name", "Enter the address", "Choose at least one event"]) {
    await expect(refusal).toContainText(message);
  }
  const name = uniqueName("Ledger");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Address" }).fill("https://169.254.169.254/latest/meta-data");
  await page.getByLabel("A document was issued").check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(refusal).toContainText("not on the public internet");
  await expect(page.getByLabel("A document was issued")).toBeChecked();
  await page.getByRole("textbox", { name: "Address" }).fill(receiver.url);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(notice(page, `“${name}” was added`)).toBeVisible();
  const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
  await page.reload();
  await expect(page.getByLabel("Secret", { exact: true }), "it is shown once").toHaveCount(0);
  await expect(main(page)).toContainText("No deliveries yet");

  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(notice(page, "A test event was sent")).toBeVisible();
  await reloadedUntil(page, "Status 204");
  const [received] = receiver.received;
  const headers = received!.headers as Record<string, string>;
  expect(new Webhook(secret).verify(received!.body, headers)).toMatchObject({ type: "webhook.test" });
  await expect(deliveries(page).getByRole("row").nth(1)).toContainText("Delivered");
  await deliveries(page).getByRole("link", { name: "webhook.test", exact: true }).click();
  await expect(fact(page, "Id")).toHaveText(headers["webhook-id"]!);
  await expect(main(page)).toContainText(received!.body);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(notice(page, "It is sent again")).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]!.headers["webhook-id"]).toBe(headers["webhook-id"]);
});

test("staff see that a receiver fails, and send abandoned events again", async ({ page, signInAs, receiver }) => {
  await signInAs();
  receiver.answer = (response) => void response.writeHead(500).end("The ledger is closed");
  const name = uniqueName("Ledger");
  await add(page, name, receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await reloadedUntil(page, "1 attempt failed since");
  await page.goto("/dashboard");
  await expect(page.getByRole("region", { name: "Webhooks in trouble" })).toContainText("fail");
  await page.getByRole("link", { name: "Look at the webhooks" }).click();
  await expect(page.getByRole("region", { name: "Webhooks in trouble" })).toContainText("fail");
  await page.getByRole("link", { name, exact: true }).click();
  await deliveries(page).getByRole("link", { name: "webhook.test", exact: true }).click();
  await expect(main(page)).toContainText("The ledger is closed");
  receiver.answer = (response) => void response.writeHead(410).end();
  await page.getByRole("button", { name: "Send now" }).click();
  await reloadedUntil(page, "The receiver wants no more deliveries");
  await page.getByRole("link", { name: `Back to ${name}` }).click();
  await expect(page.getByRole("region", { name: "Trouble" })).toContainText("status 410");
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);

  receiver.answer = (response) => void response.writeHead(204).end();
  await page.getByRole("button", { name: "Switch on" }).click();
  await expect(notice(page, "The webhook is on")).toBeVisible();
  await page.getByRole("link", { name: "Send again" }).click();
  await page.getByLabel("Of what happened since").fill("soon");
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("dialog")).toContainText("like 19-11-2026");
  await page.getByLabel("Of what happened since").fill("");
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(notice(page, "1 delivery is sent again")).toBeVisible();
  await reloadedUntil(page, "Status 204");
  await page.goto(`${new URL(page.url()).pathname}?state=Delivered`);
  await expect(deliveries(page).getByRole("row")).toHaveCount(2);
});

test("a webhook gets new keys, is changed, switched off and removed", async ({ page, signInAs, receiver }) => {
  await signInAs();
  const name = uniqueName("Ledger");
  const secret = await add(page, name, receiver.url);
  await page.getByRole("link", { name: "Make new keys" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make new keys" }).click();
  await expect(notice(page, "New keys were made")).toBeVisible();
  const newer = await page.getByLabel("Secret", { exact: true }).inputValue();
  expect(newer).not.toBe(secret);
  await expect(fact(page, "Public key")).toContainText("The earlier keys sign too until");
  await page.getByRole("button", { name: "Send test event" }).click();
  await reloadedUntil(page, "Status 204");
  for (const key of [secret, newer]) {
    const { body, headers } = receiver.received[0]!;
    expect(new Webhook(key).verify(body, headers as Record<string, string>)).toMatchObject({ type: "webhook.test" });
  }

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("An alert was raised").check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(notice(page, "changes saved")).toBeVisible();
  await expect(fact(page, "Events")).toContainText("An alert was raised");
  await page.getByRole("link", { name: "Switch off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await expect(notice(page, "The webhook is off")).toBeVisible();
  await expect(fact(page, "State")).toContainText("Off");

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove webhook" }).click();
  await expect(notice(page, `“${name}” was removed`)).toBeVisible();
  await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  await page.goto("/audit?entity=webhook");
  await expect(main(page)).toContainText("Removed");
});

test("users who may not change the company's settings see no webhooks", async ({ page, signInAs }) => {
  await signInAs("tom@hallam.example");
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "Webhooks" })).toHaveCount(0);
  await page.goto("/webhooks");
  await expect(main(page)).toContainText("Your access group does not let you manage webhooks");
});
