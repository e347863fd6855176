import { expect, test } from "../support/other-journey.ts";

/** Values that other providers send, and no page can show as they are: what is in their place, and that pages say so. */

test.beforeEach(({ signInAs }) => signInAs());

const code = "7K3M9QXA2BCDEFGH1";
const user = { id: 7, name: "Olive Trent", email: "olive@trent.example" };
const company = (timezone: unknown) => ({
  body: { ...user, company: { id: 1, name: "Trent Ltd", img: null, timezone } },
});

test("a time zone by its name on Windows is read, and of an unknown one pages say that it is Europe/London", async ({
  page,
  other,
}) => {
  const warning = page.getByText("which your provider names, is unknown: times are in Europe/London");
  other.answers.set("GET /api/users", company("GMT Standard Time"));
  await page.goto("/users/view/7");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Olive Trent");
  await expect(warning).toHaveCount(0);
  for (const zone of ["Mars/Olympus", "string", "GMT+25", "constructor"]) {
    other.answers.set("GET /api/users", company(zone));
    for (const path of ["/dashboard", "/documents/101", "/documents/101?tab=custom", "/alerts/1", "/users/edit/7"]) {
      expect((await page.goto(path))?.status(), `${zone} ${path}`).toBe(200);
      await expect(warning).toContainText(`The time zone ${zone},`);
    }
  }
  other.answers.set("GET /api/users", company(null));
  await page.goto("/dashboard");
  await expect(warning).toHaveCount(0);
});

test("strangers get the answer also if its time zone and dates are unknown", async ({ page, other }) => {
  const reply = { code, verdict: "in force", company: "Trent Ltd", document_type: "Charter", number: "NM-1", pages: 2 };
  for (const timezone of ["GMT Standard Time", null, "string", "Mars/Olympus\0"]) {
    const body = { ...reply, date: "2026-02-31", expire_date: "9999999-01-01", timezone };
    other.answers.set(`GET /api/verify/${code}`, { body });
    expect((await page.goto(`/v/${code}`))?.status(), String(timezone)).toBe(200);
    await expect(page.getByRole("main")).toContainText("Trent Ltd");
  }
  await expect(page.getByRole("main")).toContainText("2026-02-31");
  await expect(page.getByText(/\(Europe\/London\)/)).toBeVisible();
});

test("rows that can't be understood are left out, and the page after them says so", async ({ page, other }) => {
  const rows = [null, "x", { id: "no", name: "Nobody" }, { id: 1, name: 5, active: "perhaps" }, { id: 2, name: "Ada" }];
  other.answers.set("GET /api/company/users", { body: rows });
  await page.goto("/users/list");
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(3);
  await page.goto("/help");
  await expect(page.getByText("Some of what your provider sent could not be understood")).toBeVisible();
});
