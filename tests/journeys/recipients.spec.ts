import { expect, test } from "../support/journey.ts";
import { main, unfold } from "../support/page-parts.ts";
import { codeFor, sentDocument, wordsOf } from "../support/recipients.ts";
import { verdict } from "../support/visitor.ts";

// Of its own, as sending is turned on for the company.
test.use({ serverEnv: {} });

for (const language of ["en", "fr", "ar", "zh"] as const) {
  test(`a holder opens a link, saves the document and its proofs, and finds it by a code, in ${language}`, async ({
    page,
    server,
    signInAs,
  }) => {
    const { t, tag, direction } = wordsOf(language);
    const email = `rita-${language}-${Date.now()}@recipient.example`;
    const { link, path } = await sentDocument(server, { language, email });
    await page.goto(`${link}&lang=${language}`);
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await page.getByRole("button", { name: t("received.link.open") }).click();
    await expect(verdict(page)).toBeVisible();
    expect(page.url()).not.toContain("token");
    for (const [name, file] of [
      [t("received.save"), /\.pdf$/],
      [t("received.saveProof"), /^proof\.zip$/],
    ] as const) {
      const href = await main(page).getByRole("link", { name }).getAttribute("href");
      await expect.poll(async () => (await page.request.head(href!)).status(), { timeout: 60_000 }).toBe(200);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        main(page).getByRole("link", { name }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(file);
    }

    await main(page)
      .getByRole("link", { name: t("received.mine") })
      .click();
    await page.getByLabel(t("received.email")).fill(email);
    await page.getByRole("button", { name: t("received.sendCode") }).click();
    await page.getByLabel(t("enter.code")).fill(await codeFor(server, email));
    await page.getByRole("button", { name: t("received.code.show") }).click();
    await main(page).getByRole("listitem").getByRole("link").click();
    await expect(verdict(page)).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: t("received.end") }).click();
    await expect(page.getByLabel(t("received.email"))).toBeVisible();

    await signInAs();
    await page.goto(path);
    const row = page.getByRole("table", { name: "Recipients" }).getByRole("row", { name: email });
    await expect(row.getByRole("cell").filter({ hasText: /20\d\d/ })).toHaveCount(3);
  });
}

test("recipients of ticked documents are reminded, but not twice within a day", async ({ page, server, signInAs }) => {
  const { number } = await sentDocument(server, { email: `rob-${Date.now()}@recipient.example` });
  await signInAs();
  await page.goto(`/documents/list?number=${number}&mail=undelivered`);
  await expect(main(page)).toContainText("has a recipient whose mail was not delivered");
  await page.goto(`/documents/list?number=${number}`);
  await unfold(page.locator(".filters"));
  await page.getByLabel("Mail to recipients").selectOption("Not opened");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  await unfold(page.locator(".selection-bar"));
  await page.getByRole("button", { name: "Remind recipients" }).click();
  await expect(page.getByRole("heading", { name: "Remind the recipients of 1 document?" })).toBeVisible();
  await page.getByRole("button", { name: "Remind recipients" }).click();
  await expect(page.getByRole("cell", { name: "Refused" })).toBeVisible();
  await expect(page.getByText("It was sent to them, or they were reminded, within a day").first()).toBeVisible();
});
