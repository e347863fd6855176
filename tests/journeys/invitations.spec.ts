import { expect, test, uniqueName } from "../support/journey.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { notice } from "../support/page-parts.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { addUser, mailTo, userPassword } from "../support/users.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("an invitation is pending until it is accepted, and sent again after confirming", async ({
  page,
  server,
  context,
  signInAs,
  hasScripts,
}) => {
  const name = uniqueName("Ida Invited");
  const email = await addUser(page, name);
  const pending = /Invited on \d\d-\d\d-\d{4}, not accepted yet/;
  await expect(page.getByRole("main")).toContainText(pending);
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("row", { name: `Edit ${name}` })).toContainText(pending);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await page.getByRole("link", { name: "Send invitation again" }).click();
  const dialog = page.getByRole("dialog", { name: `Send ${name} an invitation again?` });
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Send invitation again" }).click();
  await dialog.getByRole("button", { name: "Send invitation again" }).click();
  await expect(notice(page, `A new invitation for ${name} lies in the outbox`)).toBeVisible();
  expect(await mailTo(server.data, email)).toContain(name);

  const link = await page.getByLabel(`Link for ${name}`).inputValue();
  const copy = page.getByRole("button", { name: "Copy link" });
  if (hasScripts) {
    await copy.click();
    await expect(page.getByText("The link was copied")).toBeVisible();
  } else await expect(copy).toBeHidden();
  // Shown once, and nowhere in an address.
  expect(page.url()).not.toContain("token");
  await page.reload();
  await expect(page.getByLabel(`Link for ${name}`)).toHaveCount(0);
  await context.clearCookies();
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(userPassword);
  await page.getByLabel("Confirm password").fill(userPassword);
  await page.getByRole("button", { name: "Create password" }).click();
  await expect(page.getByText("Your password has been successfully set")).toBeVisible();
  await context.clearCookies();
  await signInAs();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("main")).not.toContainText(pending);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("link", { name: "Send invitation again" })).toHaveCount(0);
  await page.goto("/users/view/1");
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Send invitation again" })).toHaveCount(0);
});

test("an invitation opened where another user is signed in says so, and waits until that one logs out", async ({
  page,
}) => {
  const name = uniqueName("Suharto");
  await addUser(page, name);
  await page.getByRole("link", { name: "Send invitation again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send invitation again" }).click();
  const link = await page.getByLabel(`Link for ${name}`).inputValue();
  await page.goto(link);
  await expect(page.getByRole("main")).toContainText(`This link is for ${name}. You are signed in as Helen Marsh.`);
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  const form = { password: userPassword, password_confirmation: userPassword };
  const response = await page.request.post(link, { form, maxRedirects: 0 });
  expect([response.status(), response.headers()["location"]]).toEqual([
    302,
    new URL(link).pathname + new URL(link).search,
  ]);
  await page.getByRole("link", { name: "Stay signed in as Helen Marsh" }).click();
  await expect(page.getByRole("banner")).toContainText("Helen Marsh");

  await page.goto(link);
  await page.getByRole("button", { name: "Log out and open the link" }).click();
  await expect(page).toHaveURL(link);
  await page.getByLabel("Password", { exact: true }).fill(userPassword);
  await page.getByLabel("Confirm password").fill(userPassword);
  await page.getByRole("button", { name: "Create password" }).click();
  await expect(page.getByText("Your password has been successfully set")).toBeVisible();
});

test("a dead link names nobody, signed in or not, and a sign-in is not sent beside a session", async ({ page }) => {
  for (const path of ["/signup?token=dead", "/sign-in-link?token=dead", "/confirm-email?token=dead"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).not.toContainText("This link is for");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(/not valid|not confirmed/);
  }
  const response = await page.request.post("/login", { form: { email: "tom@hallam.example", password: "guess" } });
  expect(await response.text()).toContain("this browser is signed in already");
});

test("without a mail server a new user's link is shown once to hand over, and no mail is claimed", async ({ page }) => {
  const name = uniqueName("Hanna Handed");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Access group").selectOption("Accountant");
  const [list] = await Promise.all([
    page.waitForResponse((response) => /\/users\/list/.test(response.url())),
    page.getByRole("button", { name: "Add user" }).click(),
  ]);
  await expect(page).toHaveURL("/users/list");
  const handed = page.getByRole("region", { name: "Invitation link" });
  await expect(handed).toContainText(`No mail was sent to ${name}`);
  await expect(handed).toContainText("lies in the outbox");
  await expect(handed.getByLabel(`Link for ${name}`)).toHaveValue(/\/signup\?token=[\w-]{20,}$/);
  await expect(page.getByRole("status").filter({ hasText: "by mail" })).toHaveCount(0);
  expect(list.headers()["cache-control"]).toContain("no-store");
  await page.goto("/users/list");
  await expect(handed).toHaveCount(0);
});

test.describe("when the mail server rejects the address", () => {
  let mail: MailServer;
  let desk: TestServer;
  test.beforeAll(async () => {
    mail = await startMailServer();
    desk = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  });
  test.afterAll(async () => {
    await desk.stop();
    await mail.stop();
  });

  test("the user is added, and their page says that the invitation was not delivered", async ({ page, context }) => {
    mail.answer = 550;
    // Ports share cookies.
    await context.clearCookies();
    const form = { email: signIn.email, password: signIn.password };
    expect((await page.request.post(`${desk.url}/login`, { form, maxRedirects: 0 })).status()).toBe(302);
    await page.goto(`${desk.url}/users/new`);
    await page.getByLabel("Name").fill("Una Uninvited");
    await page.getByLabel("Email").fill("una@hallam.example");
    await page.getByLabel("Access group").selectOption("Accountant");
    await page.getByRole("button", { name: "Add user" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "is invited by mail to una@hallam.example" }),
    ).toBeVisible();
    await expect(page.getByRole("region", { name: "Invitation link" })).toHaveCount(0);
    await until(() => desk.output().includes("message dropped"), "the mail server to refuse");
    await page.goto(`${desk.url}/users/list?name=una`);
    await page.getByRole("link", { name: "Info Una Uninvited" }).click();
    const problem = page.getByRole("alert").filter({ hasText: "could not be delivered to una@hallam.example" });
    await expect(problem).toContainText("“Send invitation again”");
    mail.answer = "take";
    await page.getByRole("link", { name: "Send invitation again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send invitation again" }).click();
    await expect(page.getByRole("status").filter({ hasText: /^A new invitation is on its way to / })).toBeVisible();
    await expect(problem).toHaveCount(0);
    await until(() => mail.taken.some(({ to }) => to === "una@hallam.example"), "the invitation");
  });
});
