import { signInClient } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { newColleague } from "../support/users.ts";

test("users see where they are signed in, end one session, and all others", async ({ page, server, signInAs }) => {
  const who = await newColleague(server.url);
  const [first, second, third] = [
    await signInClient(server.url, who),
    await signInClient(server.url, who),
    await signInClient(server.url, who),
  ];
  await signInAs(who.email);
  const isOpen = async (client: typeof first) => (await client.get("/dashboard")).status === 200;
  await page.goto("/profile");
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.filter({ hasText: "This session" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "This session" }).getByRole("button")).toHaveCount(0);
  await page
    .getByRole("button", { name: /^End session: / })
    .first()
    .click();
  await expect(page.getByRole("status").filter({ hasText: "The session has ended" })).toBeVisible();
  await expect(rows).toHaveCount(4);
  const open = await Promise.all([first, second, third].map(isOpen));
  expect(open.filter(Boolean)).toHaveLength(2);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The sessions have ended" })).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  expect(await Promise.all([first, second, third].map(isOpen))).toEqual([false, false, false]);
});

test("users who may change users see and end the sessions of others", async ({ page, server, signInAs }) => {
  const who = await newColleague(server.url);
  const session = await signInClient(server.url, who);
  await signInClient(server.url, who);
  await signInAs();
  await page.goto(who.page);
  await page.getByRole("link", { name: "Sessions" }).click();
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page
    .getByRole("button", { name: /^End session: / })
    .first()
    .click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("status").filter({ hasText: `${who.name}: the session has ended` })).toBeVisible();
  await page.getByRole("button", { name: "End all sessions" }).click();
  await expect(page.getByText("This user is not signed in anywhere.")).toBeVisible();
  expect((await session.get("/dashboard")).headers.get("location")).toMatch(/^\/login/);
});

test("users who may only read users see no sessions of others", async ({ page, server, signInAs }) => {
  const [who, reader] = [await newColleague(server.url), await newColleague(server.url)];
  await signInAs(reader.email);
  await page.goto(who.page);
  await expect(page.getByRole("link", { name: "History" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Sessions" })).toHaveCount(0);
});
