import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { dayNumber, signedCode } from "../support/signed-codes.ts";
import { alertsOf, phone, verdict } from "../support/visitor.ts";

// The keys that sign here are put into the server's SQLite beside it.
test.use({ userAgent: phone, storage: "sqlite-disk" });

const answers = (page: Page) => page.getByRole("list", { name: "What was checked" }).getByRole("listitem");
const rows = (page: Page) => page.getByRole("table").getByRole("row");
const isBad = (page: Page) => expect(page.locator(".verdict")).toHaveClass(/verdict-bad/);

test("a signed code is confirmed, in no more bytes than a plain one may take", async ({ page, server }) => {
  const { code, digits } = await signedCode(server);
  const answer = await page.goto(`/v/${code}/${digits}`);
  expect(answer!.status()).toBe(200);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(answers(page)).toHaveText([
    "Issued by this company? Yes, by Hallam & Reid Ltd: the code is signed by it.",
    "In force today? Yes.",
    "Is it this paper? Its code says the same as the register. Compare the paper itself as well.",
  ]);
  await expect(rows(page)).toHaveCount(0);
  await expect(page.locator("script[src]")).toHaveCount(0);
  expect(gzipSync(await answer!.body()).length).toBeLessThanOrEqual(10_000);
  await expect(page).toHaveURL(`/v/${code}/${digits}`);
});

test("a record that was changed since names each line of the paper that is old", async ({ page, server }) => {
  const dates = { expire_type: "date", expire_date: "01-02-2027", date: "01-02-2026" };
  const { client, path, code, digitsOf } = await signedCode(server, {
    ...dates,
    has_prolongation: "1",
    prolongation: "1",
  });
  const digits = await digitsOf({ date: dayNumber("2026-02-01"), lastDay: dayNumber("2027-02-01") });
  await client.post(path, { intent: "prolong" });
  await page.goto(`/v/${code}/${digits}`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(page.getByRole("table", { name: "Changed since it was printed" })).toBeVisible();
  await expect(rows(page)).toHaveText(["LinePaper’s codeRegister", "Valid until01-02-202701-02-2028"]);
  await expect(answers(page).last()).toHaveText(
    "Is it this paper? The register was changed since it was printed, as shown below.",
  );
});

test("an altered code is a red verdict, an alert, and a suspicion on the map", async ({ page, server, signInAs }) => {
  const { code, altered, number, name, path } = await signedCode(server);
  await page.goto(`/v/${code}/${altered}`);
  await expect(verdict(page)).toHaveText("This code was altered");
  await isBad(page);
  await expect(page.getByText("Its signature is wrong")).toBeVisible();
  await expect(page.getByText(`What the register holds of code ${code}:`)).toBeVisible();
  await expect(answers(page)).toHaveText([
    "Issued by this company? Hallam & Reid Ltd issued a document with this code, but this signature is not its own.",
    "In force today? By the register, yes.",
    "Is it this paper? No: the code on it was altered.",
  ]);
  // Its forms answer on the same page.
  await page.getByText("Report a problem").click();
  await page.getByLabel("What is wrong").fill("The date is another");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("has been notified")).toBeVisible();
  await expect(verdict(page)).toHaveText("This code was altered");
  await page.getByLabel("Town or post code").fill("Preston");
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("sees where this scan was made")).toBeVisible();
  await expect(page).toHaveURL(`/v/${code}/${altered}#answer`);

  const alerts = await alertsOf(page, name, signInAs, "Fake scan");
  // The scan is judged meanwhile, so either alert may be the newer one.
  await expect(alerts.getByRole("row", { name: "Complaint" })).toHaveCount(1);
  await alerts.getByRole("row", { name: "Fake scan" }).getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText("Scanned from a paper whose code was altered: its signature is wrong")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Altered code" })).toBeVisible();
  await page.goto(`/map?number=${number}&kind=suspicions`);
  await expect(page.getByRole("cell", { name: "“Preston” As typed" })).toBeVisible();
  await page.goto(path);
  await expect(page.getByRole("table", { name: "Newest scans" })).toContainText("Altered code");
});

test("a code signed with a key that is not ours is called altered", async ({ page, server }) => {
  const { code, signedByStranger } = await signedCode(server);
  await page.goto(`/v/${code}/${await signedByStranger()}`);
  await expect(verdict(page)).toHaveText("This code was altered");
  await isBad(page);
  await expect(page.getByText("It is signed with a key that is not ours. Do not rely on the paper.")).toBeVisible();
});

test("a code signed with a revoked key is red, with the day", async ({ page, server }) => {
  const { code, digits, revokeKey } = await signedCode(server);
  revokeKey();
  await page.goto(`/v/${code}/${digits}`);
  await expect(verdict(page)).toHaveText("Signed with a revoked key");
  await isBad(page);
  await expect(page.getByText("was revoked on 22-11-2026. Do not rely on the paper.")).toBeVisible();
});

test("register and paper that contradict each other are red, line by line", async ({ page, server }) => {
  const { code, digitsOf } = await signedCode(server);
  await page.goto(`/v/${code}/${await digitsOf({ pages: 12, type: 3 })}`);
  await expect(verdict(page)).toHaveText("Register and paper contradict each other");
  await isBad(page);
  await expect(rows(page)).toHaveText(["LinePaper’s codeRegister", "TypePermitContract", "Pages121"]);
  await expect.poll(() => server.errors()).toContain("signed code contradicts its record");
});

test("a genuine code without a record is not called forged", async ({ page, server }) => {
  const { digitsOf } = await signedCode(server);
  const unknownCode = "00000000000000000";
  const answer = await page.goto(`/v/${unknownCode}/${await digitsOf({}, unknownCode)}`);
  expect(answer!.status()).toBe(404);
  await expect(verdict(page)).toHaveText("Signed by us, but not in the register");
  await expect(page.getByText("Hallam & Reid Ltd signed this code")).toBeVisible();
  await expect.poll(() => server.errors()).toContain("signed code without a record");
  expect((await page.goto(`/v/${unknownCode}/${"1".repeat(294)}`))!.status()).toBe(404);
  await expect(verdict(page)).toHaveText("Not issued by us");
});

test("an address that was cut, or is none, leaves the verdict and says to scan again", async ({ page, server }) => {
  const { code, digits } = await signedCode(server);
  for (const cut of [digits.slice(0, 120), "abc", "1".repeat(10_000)]) {
    expect((await page.goto(`/v/${code}/${cut}`))!.status()).toBe(200);
    await expect(verdict(page)).toHaveText("This document is in force");
    await expect(answers(page).last()).toContainText("its signature could not be read. Scan the code again.");
  }
  expect((await page.goto(`/v/${code.slice(1)}/${digits}`))!.status()).toBe(422);
  await expect(verdict(page)).toHaveText("This code is mistyped");
});

test("the number on the paper is compared beside the signature", async ({ page, server }) => {
  const { code, digits, number } = await signedCode(server);
  await page.goto(`/v/${code}/${digits}?number=${number}`);
  await expect(answers(page).last()).toContainText("Its number is the same.");
  await page.goto(`/v/${code}/${digits}?number=NM-WRONG`);
  await expect(verdict(page)).toHaveText("This paper does not match");
});

test("a withdrawn document with a genuine code is withdrawn", async ({ page, server }) => {
  const { client, path, code, digits } = await signedCode(server);
  await client.post(path, { intent: "exit", reason: "1" });
  await page.goto(`/v/${code}/${digits}`);
  await expect(verdict(page)).toHaveText("No longer in force");
  await expect(answers(page).first()).toContainText("the code is signed by it.");
  await expect(answers(page).nth(1)).toContainText("No, withdrawn on");
});
