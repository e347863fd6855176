import { signIn } from "../support/sample.ts";
import { expect, test } from "../support/journey.ts";
import { mailsIn } from "../support/mails.ts";
import { until } from "../support/server.ts";

// A server of its own, as guesses lock an account that other journeys sign in to.
test.use({ serverEnv: {} });

/** Links in the messages that the server wrote, the newest last. */
const mailedLinks = (data: string) =>
  mailsIn(data).flatMap((mail) => /https?:\/\/\S+\/signup\?token=\S+/.exec(mail) ?? []);

test("a user signs in, is greeted for five seconds, and sees the dashboard", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  const notice = page.getByRole("status").filter({ hasText: "Signed in as Helen Marsh" });
  await expect(notice).toBeVisible();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(notice).toHaveCount(0);
});

test("a wrong password is refused and the email stays", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("There is a problem");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page).toHaveTitle("Error: Sign in – Sealdesk");
  await expect(page.getByLabel("Email")).toHaveValue(signIn.email);
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
    "Error: The email or password is not right. Check both and try again.",
  );
  await expect(page.getByLabel("Password")).toHaveValue("");
});

test("empty fields are named, and the summary leads to them", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByRole("link", { name: "Enter the password" }).click();
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Enter the email address", "Enter the password"]);
});

test("sign-in returns to the page that needed it", async ({ page }) => {
  await page.goto("/documents/list?name=lease");
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/documents\/list\?name=lease$/);
});

test("signing in never leads to another site", async ({ page, baseURL }) => {
  await page.goto(`/login?next=${encodeURIComponent("/\\evil.example")}`);
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${baseURL}/dashboard`);
});

test("guest pages redirect signed-in users to the dashboard", async ({ page, signInAs, baseURL }) => {
  await signInAs();
  for (const path of ["/login", "/forgot", "/signup", "/congratulations"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`${baseURL}/dashboard`);
  }
});

test("a user who forgot the password sets a new one by mail, which replaces the old one", async ({ page, server }) => {
  const email = "daniel@hallam.example";
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email").fill(email);
  const before = mailedLinks(server.data);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
  await until(() => mailedLinks(server.data).length > before.length, "the mail");

  await page.goto(mailedLinks(server.data).at(-1)!);
  await expect(page.getByText(`For Daniel Webb, ${email}`)).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("Confirm password").fill("shorter");
  await page.getByRole("button", { name: "Create password" }).click();
  await expect(page.getByRole("alert")).toContainText("Use at least 12 characters");
  await expect(page.getByRole("alert")).toContainText("The two passwords are not the same: type both again");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await page.getByLabel("Password", { exact: true }).fill(signIn.password);
  await page.getByLabel("Confirm password").fill(signIn.password);
  await page.getByRole("button", { name: "Create password" }).click();

  await expect(page).toHaveURL(/\/congratulations$/);
  await expect(page.getByText("Your password has been successfully set")).toBeVisible();
  await page.getByRole("link", { name: "Login now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");

  await page.goto(mailedLinks(server.data).at(-1)!);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link not valid");
  await expect(page.getByRole("link", { name: "Ask for a new link" })).toBeVisible();
});

test("a user locked out by others' guesses sets a new password by mail, and signs in", async ({
  page,
  server,
  request,
}) => {
  const email = "tom@hallam.example";
  const signInByHand = async () => {
    await page.goto("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(signIn.password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  for (let n = 0; n < 10; n++) await request.post("/login", { form: { email, password: "guess" } });
  await signInByHand();
  await expect(page.getByRole("alert")).toContainText(/Too many attempts. Try again in \d+ minutes/);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  const before = mailedLinks(server.data);
  await request.post("/forgot", { form: { email } });
  await until(() => mailedLinks(server.data).length > before.length, "the mail");
  await page.goto(mailedLinks(server.data).at(-1)!);
  await page.getByLabel("Password", { exact: true }).fill(signIn.password);
  await page.getByLabel("Confirm password").fill(signIn.password);
  await page.getByRole("button", { name: "Create password" }).click();
  await expect(page).toHaveURL(/\/congratulations$/);
  // The link made this browser known to the account.
  for (let n = 0; n < 12; n++) await request.post("/login", { form: { email, password: "guess" } });
  await page.getByRole("link", { name: "Login now" }).click();
  await signInByHand();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("the reply to a forgotten password does not reveal whether the address has an account", async ({ page }) => {
  await page.goto("/forgot");
  await page.getByLabel("Email").fill("nobody@hallam.example");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByLabel("Email").fill("not an address");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/Enter an email address like/);
  await expect(page.getByLabel("Email")).toHaveValue("not an address");
});
