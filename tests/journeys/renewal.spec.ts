import type { Page } from "@playwright/test";
import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { dialog, fact, main, notice, unfold } from "../support/page-parts.ts";
import { issued, phone, verdict } from "../support/visitor.ts";
import { addPicture, step } from "../support/wizard.ts";

test.use({ userAgent: phone });
test.beforeEach(({ signInAs }) => signInAs());

/** Opens a page as a stranger, without a session. */
async function asStranger(page: Page, url: string, path: string, look: (scan: Page) => Promise<void>) {
  const stranger = await page.context().browser()!.newContext({ baseURL: url, userAgent: phone });
  const scan = await stranger.newPage();
  await scan.goto(path);
  await look(scan);
  await stranger.close();
}

test("a document is withdrawn for a reason of the company's own, which strangers read", async ({ page, server }) => {
  const reason = uniqueName("Recalled");
  await page.goto("/settings/withdrawal-reasons");
  await page.getByRole("link", { name: "Add reason" }).click();
  await dialog(page).getByRole("button", { name: "Add reason" }).click();
  await expect(dialog(page)).toContainText("Enter the reason");
  await dialog(page).getByLabel("Reason").fill(reason);
  await dialog(page).getByLabel("Text for strangers").fill("Ask us for the corrected one.");
  await dialog(page).getByRole("button", { name: "Add reason" }).click();
  await expect(notice(page, `${reason} was added`)).toBeVisible();
  await page.getByRole("button", { name: `Move up ${reason}` }).click();
  await expect(notice(page, "The order was changed")).toBeVisible();

  const { path, code, number } = await issued(server.url);
  await page.goto(`${path}?dialog=exit`);
  await dialog(page).getByLabel("Note").fill("Wrong rent");
  await dialog(page).getByRole("button", { name: "Mark as exited" }).click();
  await expect(dialog(page)).toContainText("Choose why the document exits");
  await expect(dialog(page).getByLabel("Note")).toHaveValue("Wrong rent");
  await dialog(page).getByLabel("Reason").selectOption(`${reason}: “Ask us for the corrected one.”`);
  await dialog(page).getByRole("button", { name: "Mark as exited" }).click();
  await expect(notice(page, `${number} has exited`)).toBeVisible();
  await expect(fact(page, "Reason")).toHaveText(reason);
  await expect(fact(page, "Note")).toHaveText("Wrong rent");
  await asStranger(page, server.url, `/v/${code}`, async (scan) => {
    await expect(verdict(scan)).toHaveText("No longer in force");
    await expect(scan.getByText("Ask us for the corrected one.").first()).toBeVisible();
    await expect(scan.locator("body")).not.toContainText("Wrong rent");
    await expect(scan.locator("body")).not.toContainText(reason);
  });

  await page.goto("/settings/withdrawal-reasons");
  await page.getByRole("link", { name: `Change ${reason}` }).click();
  await dialog(page).getByLabel("Text for strangers").fill("");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(notice(page, `${reason}: changes saved`)).toBeVisible();
  await page.getByRole("link", { name: `Remove ${reason}` }).click();
  await dialog(page).getByRole("button", { name: "Remove reason" }).click();
  await expect(notice(page, "The reason was removed")).toBeVisible();
  await expect(main(page)).not.toContainText(reason);
  await page.goto(`${path}?tab=history`);
  await expect(page.getByRole("table", { name: "History" })).toContainText("Ask us for the corrected one.");
});

test("a new version replaces a document, whose scans lead to whether the newer one is in force", async ({
  page,
  server,
  hasScripts,
}) => {
  const { path, code, number, name } = await issued(server.url);
  await page.goto(path);
  await unfold(page);
  await page.getByRole("button", { name: "Issue a new version" }).click();
  await step(page, "Details");
  await expect(main(page)).toContainText(`New version of ${number}`);
  await expect(page.getByLabel("Document name")).toHaveValue(name);
  await expect(page.getByLabel("Document number")).not.toHaveValue(number);
  await addPicture(page, hasScripts);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(fact(page, "Replaces")).toContainText(number);
  const newer = (await fact(page, "Number").textContent())!;
  await page.getByRole("link", { name: number, exact: true }).click();
  await expect(fact(page, "Replaced by")).toContainText(newer);
  await expect(page.getByRole("button", { name: "Issue a new version" })).toHaveCount(0);

  await asStranger(page, server.url, `/v/${code}`, async (scan) => {
    await expect(verdict(scan)).toHaveText("No longer in force");
    await expect(main(scan)).toContainText(`${newer} of`);
    await scan.getByRole("link", { name: `Is ${newer} in force?` }).click();
    await expect(verdict(scan)).toHaveText(`${newer} is in force, this paper is not`);
    await expect(scan).toHaveURL(`/v/${code}/newer`);
    const codes = (await scan.content()).match(/\/v\/[0-9A-Z]{17}/g)!;
    expect(new Set(codes)).toEqual(new Set([`/v/${code}`]));
    await scan.getByRole("link", { name: "Back to the check of the document" }).click();
    await expect(verdict(scan)).toHaveText("No longer in force");
  });
});

test("a new version is not issued once the document was withdrawn, and its draft stays", async ({
  page,
  server,
  hasScripts,
}) => {
  const { path, number, client } = await issued(server.url);
  await page.goto(path);
  await unfold(page);
  await page.getByRole("button", { name: "Issue a new version" }).click();
  await addPicture(page, hasScripts);
  await client.post(path, { intent: "exit", reason: "1" });
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("alert")).toContainText(`${number} has exited meanwhile`);
  await step(page, "Review");
  await page.getByRole("button", { name: `Don’t replace ${number}` }).click();
  await expect(main(page)).not.toContainText("New version of");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(notice(page, "was issued with the number")).toBeVisible();
});

test("the calendar has what expires, and a day leads to its documents", async ({ page, server }) => {
  const day = { expire_type: "date", expire_date: "24-12-2031" };
  const { name } = await issued(server.url, day);
  for (const _ of [1, 2, 3]) await issued(server.url, day);
  await page.goto("/documents/list");
  await page.getByRole("link", { name: "Calendar", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Calendar");
  await page.goto("/documents/calendar?month=2031-11");
  await page.getByRole("link", { name: "December 2031" }).click();
  await expect(page.getByRole("heading", { name: "December 2031" })).toBeVisible();
  await page
    .getByRole("link", { name: /^All \d+ documents that expire on 24-12-2031/ })
    .filter({ visible: true })
    .click();
  await expect(page.getByRole("table", { name: "Documents" })).toContainText(name);
  await expect(page.getByLabel("Expires on")).toHaveValue("24-12-2031");
});

test("the dashboard says how many documents expire soon, and leads to them", async ({ page, server }) => {
  const documents = page.getByRole("region", { name: "Documents", exact: true });
  const count = async () => {
    await page.goto("/dashboard");
    const [, number = "0"] = /([\d,]+) expires? soon/.exec(await documents.innerText()) ?? [];
    return Number(number.replaceAll(",", ""));
  };
  const before = await count();
  const { name } = await issued(server.url, { expire_type: "date", expire_date: inDays(29) });
  await issued(server.url, { expire_type: "date", expire_date: inDays(40) });
  expect(await count()).toBe(before + 1);
  await documents.getByRole("link", { name: /expires? soon$/ }).click();
  await expect(page.getByLabel("Status")).toHaveValue("expiring");
  await expect(page.getByText(new RegExp(`^1 - \\d+ of ${before + 1}$`))).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("table", { name: "Documents" })).toContainText(name);
});

test("a calendar program reads a secret address until that has ended", async ({ page, request, server }) => {
  const { number } = await issued(server.url, { expire_type: "date", expire_date: inDays(30) });
  await page.goto("/documents/calendar");
  // Others of this sample may have made one.
  const first = page.getByRole("button", { name: "Make a secret address" });
  if (await first.isVisible()) await first.click();
  else {
    await page.getByRole("link", { name: "Make a new address" }).click();
    await dialog(page).getByRole("button", { name: "Make a new address" }).click();
  }
  const address = (await page.getByRole("link", { name: /\/calendar\/[\w-]{43}\.ics$/ }).textContent())!;
  const path = new URL(address).pathname;
  const feed = await request.get(path);
  expect(feed.headers()["content-type"]).toBe("text/calendar; charset=utf-8");
  expect(await feed.text()).toContain(`${number} expires`);
  const etag = feed.headers().etag!;
  expect((await request.get(path, { headers: { "if-none-match": etag } })).status()).toBe(304);
  await page.goto("/documents/calendar");
  await expect(main(page)).not.toContainText(".ics");
  await page.getByRole("link", { name: "End the address" }).click();
  await dialog(page).getByRole("button", { name: "End the address" }).click();
  await expect(notice(page, "The address has ended")).toBeVisible();
  expect((await request.get(path)).status()).toBe(404);
});
