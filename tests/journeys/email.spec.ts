import { join } from "node:path";
import Database from "better-sqlite3";
import { confirmPresence } from "../support/confirm-presence.ts";
import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { mailsIn } from "../support/mails.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";

const emailOf = (name: string) => `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;

/** A new accountant of the sample's company, with the password of all its users. */
async function accountant(url: string) {
  const name = uniqueName("Mia Mover");
  const { password } = signIn;
  const form = { name, email: emailOf(name), staff: "Accountant", password, password_confirmation: password };
  const client = await signInClient(url);
  const answer = await client.post("/users/new", { ...form, intent: "save" });
  expect(answer.status).toBe(302);
  return { name, email: form.email, next: `new-${form.email}` };
}

/** How often a server wrote to an address about something. */
const mailsTo = (data: string, email: string, about: RegExp) =>
  mailsIn(data).filter((mail) => mail.includes(`To: ${email}`) && about.test(mail));

const linkIn = (mail: string) => /https?:\/\/\S+\/confirm-email\?token=\S+/.exec(mail)![0];

test("a new email waits until its link is confirmed, and can be sent again and cancelled until then", async ({
  page,
  server,
  signInAs,
}) => {
  const { email, next } = await accountant(server.url);
  await signInAs(email);
  const change = async () => {
    await page.goto("/profile?edit");
    await page.getByLabel("Email").fill(next);
    await page.getByRole("button", { name: "Update" }).click();
  };
  const links = () => mailsTo(server.data, next, /confirm-email/);
  const pending = page.getByRole("region", { name: "New email" });

  await change();
  await expect(pending).toContainText(`${next} is not confirmed yet`);
  await expect(page.getByRole("definition").filter({ hasText: email })).toHaveText(email);
  await until(() => links().length === 1, "the link");
  await until(() => mailsTo(server.data, email, /A new email address was entered/).length === 1, "the notice");
  await pending.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your email stays as it is" })).toBeVisible();
  await expect(pending).toHaveCount(0);

  await change();
  await until(() => links().length === 2, "another link");
  await pending.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "A new link is on its way" })).toBeVisible();
  await until(() => links().length === 3, "the link once more");
  const [first, , last] = links().map(linkIn);
  await page.goto(first!);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email not confirmed");

  await page.goto(last!);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm email");
  await page.reload();
  await page.getByRole("button", { name: "Confirm email" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email confirmed");
  await page.getByRole("link", { name: "Go to my profile" }).click();
  await expect(page.getByRole("definition").filter({ hasText: next })).toHaveText(next);
  await until(() => mailsTo(server.data, email, /was changed/).length === 1, "the second notice");
  await page.goto(last!);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email not confirmed");
});

test("an administrator's change of a user's email waits for the user, who confirms it without signing in", async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const { name, next } = await accountant(server.url);
  await signInAs();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("row", { name }).getByRole("link", { name: "Edit" }).click();
  // The list has a filter of that name.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit user");
  await page.getByLabel("Email").fill(next);
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${next} is not confirmed yet` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("row", { name }).getByRole("link", { name: "Edit" }).click();
  const pending = page.getByRole("region", { name: "New email" });
  await pending.getByRole("button", { name: "Send again" }).click();
  await expect(pending).toContainText(`${next} is not confirmed yet`);
  const links = () => mailsTo(server.data, next, /confirm-email/);
  await until(() => links().length === 2, "the link again");
  await context.clearCookies();
  await page.goto(linkIn(links()[1]!));
  await page.getByRole("button", { name: "Confirm email" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email confirmed");
  await signInAs(next);
});

test("a while after sign-in, a new email needs a proof; what was typed comes back", async ({ page }) => {
  const desk = await startServer({ from: sampleData });
  try {
    const { password } = signIn;
    await page.goto(`${desk.url}/login`);
    await page.getByLabel("Email").fill(signIn.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
    const rows = new Database(join(desk.data, "sealdesk.db"));
    const anHourAgo = new Date(Date.now() - 60 * 60 * 1000).toISOString();
    rows.prepare("update tokens set created_at = ?").run(anHourAgo);
    rows.close();

    await page.goto(`${desk.url}/profile?edit`);
    await page.getByLabel("Email").fill("helen@new.example");
    await page.getByLabel("City").fill("York");
    await page.getByRole("button", { name: "Update" }).click();
    await confirmPresence(page);
    await expect(page.getByLabel("Email")).toHaveValue("helen@new.example");
    await page.getByRole("button", { name: "Update" }).click();
    await expect(page.getByRole("region", { name: "New email" })).toContainText(
      "helen@new.example is not confirmed yet",
    );
    await expect(page.getByText("York")).toBeVisible();
  } finally {
    await desk.stop();
  }
});
