import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { issued, phone } from "../support/visitor.ts";

/** What scripts add to the pages of strangers. */

test.use({ userAgent: phone, serverEnv: {} });

const [text, contact, place] = ["The stamp is\nmissing", "ada@example.com", "Preston"];
const fieldOn = (page: Page) => (name: string) => page.locator(`.tell [name=${name}]:not([type=hidden])`);

test("what a visitor typed of a problem stays while they share the place", async ({ page, server }) => {
  const { code } = await issued(server.url);
  const field = fieldOn(page);
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await field("text").fill(text);
  await field("contact").fill(contact);
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(field("place")).toHaveAttribute("aria-invalid", "true");
  await expect(field("text")).toHaveValue(text);
  await field("place").fill(place);
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("sees where this scan was made")).toBeVisible();
  await expect(field("text")).toHaveValue(text);
  await expect(field("contact")).toHaveValue(contact);
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("has been notified")).toBeVisible();
});

test("what a visitor typed and did not send goes along to another language", async ({ page, server }) => {
  const { code } = await issued(server.url);
  const field = fieldOn(page);
  const choose = async (language: string) => {
    await page.locator(".languages summary").click();
    await page.getByRole("button", { name: language }).click();
  };
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await field("text").fill(text);
  await field("contact").fill(contact);
  await field("place").fill(place);
  await choose("Français");
  await expect(field("text")).toBeVisible();
  await expect(field("text")).toHaveValue(text);
  await expect(field("contact")).toHaveValue(contact);
  await expect(field("place")).toHaveValue(place);
  await field("contact").fill("");
  await choose("Deutsch");
  await expect(field("text")).toHaveValue(text);
  await expect(field("contact")).toHaveValue("");
});
