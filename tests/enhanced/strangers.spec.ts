import { expect, test } from "../support/journey.ts";
import { issued, phone } from "../support/visitor.ts";

/** What scripts add to the pages of strangers. */

test.use({ userAgent: phone, serverEnv: {} });

test("what a visitor typed and did not send goes along to another language", async ({ page, server }) => {
  const { code } = await issued(server.url);
  const [text, contact, place] = ["The stamp is\nmissing", "ada@example.com", "Preston"];
  const field = (name: string) => page.locator(`.tell [name=${name}]`);
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
