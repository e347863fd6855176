import { expect, test } from "../support/other-journey.ts";

/** Users, by the calls that the specification has for them. */

test.beforeEach(({ signInAs }) => signInAs());

test("every message of a refusal is shown once: at its field, or in its words", async ({ page, other }) => {
  await page.goto("/users/new");
  await page.getByLabel("Name", { exact: true }).fill("Piet Punt");
  await page.getByLabel("Email").fill("piet@trent.example");
  await page.getByLabel("Access group").fill("Anglers");
  const errors = {
    captcha: ["Prove it."],
    "staff.0": ["No such group."],
    robot: "Are you one?",
    email: ["It is taken.", "It is odd."],
    proofs: [{ kind: ["Choose a kind."] }],
    password: ["It is short."],
  };
  other.answers.set("POST /api/users", { status: 422, body: { message: "Invalid", errors } });
  await page.getByRole("button", { name: "Add user" }).click();
  const summary = page.getByRole("alert").getByRole("listitem");
  await expect(summary).toHaveText([
    "It is taken.",
    "No such group.",
    "It is short.",
    "Prove it.",
    "Are you one?",
    "Choose a kind.",
  ]);
  for (const [message, label] of [
    ["It is taken.", "Email"],
    ["No such group.", "Access group"],
    ["It is short.", "Password"],
  ] as const) {
    await summary.getByRole("link", { name: message }).click();
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
  }
  await expect(summary.getByRole("link")).toHaveCount(3);
});

test("a user is added and changed with the specification's fields", async ({ page, other }) => {
  await page.goto("/users/new");
  await page.getByLabel("Name").fill("Piet Punt");
  await page.getByLabel("Email").fill("piet@trent.example");
  await page.getByLabel("Branch", { exact: true }).fill("Wharf");
  await page.getByLabel("Access group").fill("Anglers");
  other.answers.set("POST /api/users", {
    status: 422,
    body: { message: "x", errors: { email: ["It is taken."], captcha: ["Prove it."] } },
  });
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("alert").getByRole("listitem")).toHaveText(["It is taken.", "Prove it."]);
  await expect(page.getByLabel("Name")).toHaveValue("Piet Punt");
  other.answers.clear();
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Piet Punt was added" })).toBeVisible();
  const posted = other.requests.findLast(({ method, path }) => method === "POST" && path === "/api/users")!;
  expect(new Map(posted.fields)).toEqual(
    new Map([
      ...["phone", "role", "country", "city", "index", "info", "password", "password_confirmation"].map(
        (name) => [name, ""] as const,
      ),
      ["name", "Piet Punt"],
      ["email", "piet@trent.example"],
      ["branch", "Wharf"],
      ["staff", "Anglers"],
    ]),
  );
  await page.goto("/users/edit/7");
  await expect(page.getByLabel("Name")).toHaveValue("Olive Trent");
  await page.getByLabel("Role").fill("Director");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Olive Trent: changes saved" })).toBeVisible();
  const put = other.requests.findLast(({ method }) => method === "PUT")!;
  expect([put.path, new Map(put.fields).get("role")]).toEqual(["/api/users/7", "Director"]);
  expect(new Map(put.fields).has("active")).toBe(false);
});

test("a user is removed and reactivated by sending the stored record with active changed", async ({ page, other }) => {
  const ned = { id: 9, name: "Ned Trent", email: "ned@trent.example", role: "clerk", branch: "Wharf", staff: "Clerks" };
  const submittedFields = () => new Map(other.requests.findLast(({ method }) => method === "PUT")!.fields);
  other.answers.set("GET /api/users/9", { body: { ...ned, active: true } });
  other.answers.set("PUT /api/users/9", { body: "" });
  await page.goto("/users/edit/9");
  await page.getByRole("button", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove user" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Ned Trent was removed$/ })).toBeVisible();
  const { name, email, role, branch, staff } = ned;
  expect(Object.fromEntries(submittedFields())).toMatchObject({ name, email, role, branch, staff, active: "0" });
  expect([...submittedFields().keys()]).not.toContain("password");

  other.answers.set("GET /api/users/9", { body: { ...ned, active: false } });
  await page.goto("/users/view/9");
  await page.getByRole("link", { name: "Reactivate user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reactivate user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Ned Trent was reactivated" })).toBeVisible();
  expect(Object.fromEntries(submittedFields())).toMatchObject({ name, staff, active: "1" });
  await expect(page.getByRole("link", { name: "Send invitation again" })).toHaveCount(0);
});
