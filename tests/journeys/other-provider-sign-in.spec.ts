import { expect, test } from "../support/other-journey.ts";
import { otherSignIn, requestLines } from "../support/other-provider.ts";

test.beforeEach(({ signInAs }) => signInAs());

test.describe("signing in", () => {
  test.use({ signInAs: async ({ other }, use) => use(async () => other.answers.clear()) });

  test.beforeEach(async ({ page, other }) => {
    other.requests.length = 0;
    await page.goto("/login");
    await page.getByLabel("Email").fill(otherSignIn.email);
    await page.getByLabel("Password").fill(otherSignIn.password);
  });

  const press = (page: import("@playwright/test").Page) => page.getByRole("button", { name: "Sign in" }).click();

  test("the provider's user is greeted, its documents are counted and its missing lists are named", async ({
    page,
    other,
  }) => {
    await press(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
    await expect(page.getByRole("banner")).toContainText("Olive Trent");
    await expect(page.getByRole("banner")).toContainText("SilverState 1");
    await expect(page.getByRole("banner")).toContainText("12 / 5000");
    await expect(page.getByRole("link", { name: "NM-T111" })).toBeVisible();
    await expect(page.getByText("Your provider does not offer branches.")).toBeVisible();
    await expect(page.getByText("Your provider does not offer users.")).toBeVisible();
    expect(other.requests[0]).toMatchObject({
      method: "POST",
      path: "/api/login",
      fields: Object.entries(otherSignIn),
    });
    expect(requestLines(other).filter((request) => request === "GET /api/users")).toHaveLength(1);
    expect(requestLines(other).filter((request) => request === "GET /api/documents")).toHaveLength(1);
    for (const { path, headers } of other.requests) {
      expect(headers["content-type"], path).toMatch(/^multipart\/form-data; boundary=/);
      expect(headers.authorization ?? "", path).toMatch(path === "/api/login" ? /^$/ : /^Bearer token-of-olive-\d+$/);
    }
  });

  test("of a list of users the first is the current user", async ({ page, other }) => {
    other.answers.set("GET /api/users", {
      body: [
        { id: 9, name: "Ned First" },
        { id: 7, name: "Olive Trent" },
      ],
    });
    await press(page);
    await expect(page.getByRole("banner")).toContainText("Ned First");
  });

  for (const [what, body, message] of [
    ["one message", { message: "Those do not match." }, "Those do not match."],
    ["messages of fields", { message: "x", errors: { email: ["Nobody has it.", "2nd"] } }, "Nobody has it."],
    ["messages of fields that the form has not", { message: "x", errors: { captcha: "Prove it." } }, "Prove it."],
    ["nothing readable", "<h1>Unprocessable</h1>", "The provider refused this without a reason."],
  ] as const) {
    test(`a refusal with ${what} is shown in the form`, async ({ page, other }) => {
      other.answers.set("POST /api/login", { status: 422, body });
      await press(page);
      await expect(page.getByRole("alert")).toContainText(message);
      await expect(page.getByLabel("Email")).toHaveValue(otherSignIn.email);
      await expect(page.getByLabel("Password")).toHaveValue("");
    });
  }

  test("a token too long for a cookie is refused with a message", async ({ page, other }) => {
    other.answers.set("POST /api/login", { body: { user: { id: 7 }, token: "x".repeat(4000) } });
    await press(page);
    await expect(page.getByRole("alert")).toContainText("token is too long");
  });

  test("the form stays as typed when the provider fails", async ({ page, other }) => {
    other.answers.set("POST /api/login", { status: 500, body: "<h1>Whoops</h1>" });
    await press(page);
    await expect(page.getByRole("alert")).toContainText("The provider reported an internal error.");
    await expect(page.getByLabel("Email")).toHaveValue(otherSignIn.email);
  });
});

test("forgot says that the provider offers no reset", async ({ page, context }) => {
  await context.clearCookies();
  await page.goto("/forgot");
  await page.getByLabel("Email").fill("olive@trent.example");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("alert")).toContainText("Your provider does not offer password resets.");
});

test("an invited user's password is sent with the link's token as bearer", async ({ page, context, other }) => {
  await context.clearCookies();
  await page.goto("/signup?token=from-a-mail");
  await page.getByLabel("Password", { exact: true }).fill("a password of some length");
  await page.getByLabel("Confirm password").fill("a password of some length");
  await page.getByRole("button", { name: "Create password" }).click();
  await expect(page.getByText("Your password has been successfully set")).toBeVisible();
  const signup = other.requests.find(({ method, path }) => method === "POST" && path === "/api/signup");
  expect(signup).toMatchObject({
    headers: { authorization: "Bearer from-a-mail" },
    fields: [
      ["password", "a password of some length"],
      ["password_confirmation", "a password of some length"],
    ],
  });
});

test("logging out clears the session without a provider's call", async ({ page, context }) => {
  await page.goto("/logout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
  expect((await context.request.get("/dashboard", { maxRedirects: 0 })).status()).toBe(302);
});
