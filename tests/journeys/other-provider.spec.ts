import { readFileSync } from "node:fs";
import { expect, test } from "../support/other-journey.ts";
import { otherSignIn } from "../support/other-provider.ts";
import { pdf, picture, readQr } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

/** What was sent, without what every request carries. */
const sent = ({ requests }: { requests: { method: string; path: string }[] }) =>
  requests.map(({ method, path }) => `${method} ${path}`);

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

  test("the provider's user is greeted, its documents are counted and its other lists are not made up", async ({
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
    expect(sent(other).filter((request) => request === "GET /api/users")).toHaveLength(1);
    expect(sent(other).filter((request) => request === "GET /api/documents")).toHaveLength(1);
    for (const { path, headers } of other.requests) {
      expect(headers["content-type"], path).toMatch(/^multipart\/form-data; boundary=/);
      expect(headers.authorization ?? "", path).toMatch(path === "/api/login" ? /^$/ : /^Bearer token-of-olive-\d+$/);
    }
  });

  test("a list of users counts by its first", async ({ page, other }) => {
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
    test(`a refusal with ${what} is told in the form`, async ({ page, other }) => {
      other.answers.set("POST /api/login", { status: 422, body });
      await press(page);
      await expect(page.getByRole("alert")).toContainText(message);
      await expect(page.getByLabel("Email")).toHaveValue(otherSignIn.email);
      await expect(page.getByLabel("Password")).toHaveValue("");
    });
  }

  test("a token that no cookie can hold is refused in words", async ({ page, other }) => {
    other.answers.set("POST /api/login", { body: { user: { id: 7 }, token: "x".repeat(4000) } });
    await press(page);
    await expect(page.getByRole("alert")).toContainText("token is too long");
  });

  test("a provider that fails leaves the form as it was typed", async ({ page, other }) => {
    other.answers.set("POST /api/login", { status: 500, body: "<h1>Whoops</h1>" });
    await press(page);
    await expect(page.getByRole("alert")).toContainText("The provider has a problem of its own.");
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

test("an invited user sets a password, the link's token as the bearer", async ({ page, context, other }) => {
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

test("documents are filtered, sorted and paged here, and asked for once", async ({ page, other }) => {
  await page.goto("/documents/list");
  await expect(page.getByText("1 - 5 of 12")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("6 - 10 of 12")).toBeVisible();
  await page.goto("/documents/list?name=CHARTER%201&sort=-date");
  await expect(page.getByText("1 - 4 of 4")).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText("12-09-2026");
  await page.goto("/documents/list?branch=Wharf&date=01-09-2026");
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await page.goto("/documents/list?name=nothing");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
  // Rows without a status are in the archive as they are in the list.
  await page.goto("/documents/archive");
  await expect(page.getByText("1 - 5 of 12")).toBeVisible();
  expect(sent(other).filter((request) => request === "GET /api/documents")).toHaveLength(1);
});

test("what the filters leave of the whole list is exported", async ({ page, other }) => {
  await page.goto("/documents/list?name=CHARTER%201&sort=-date");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8").split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    '\uFEFF"Document"',
    '"Charter 12"',
    '"Charter 11"',
    '"Charter 10"',
    '"Charter 1"',
    "",
  ]);
  expect(lines[1]).toBe(
    '"Charter 12","Mill Lane","","ned@trent.example","","12-09-2026","NM-T111","","","Branch staff"',
  );
  expect(sent(other).filter((request) => request.startsWith("GET /api/documents"))).toHaveLength(1);
});

test("a provider that tells no history has no tab for it, and no audit trail", async ({ page, other }) => {
  await page.goto("/documents/101?tab=history");
  await expect(page.getByRole("navigation", { name: "Properties" }).getByRole("link")).toHaveText([
    "System properties",
    "Custom properties",
  ]);
  await expect(page.getByText("Document access type")).toBeVisible();
  // Nor does one whose histories fail take the document's page with it.
  other.answers.set("GET /api/documents/101/history", { status: 500, body: "Whoops" });
  await page.goto("/documents/101");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 1");
  await page.goto("/users/view/7");
  await expect(page.getByRole("link", { name: "History" })).toHaveCount(0);
  await page.goto("/audit");
  await expect(page.getByText("Your provider does not offer an audit trail.")).toBeVisible();
  expect((await page.goto("/audit.csv"))?.status()).toBe(501);
  await expect(page.getByText("Your provider does not offer an audit trail.")).toBeVisible();
});

test("a whole audit trail of a provider that filters nothing is filtered here", async ({ page, other }) => {
  const entry = { actor: "Olive Trent", entity: "document", entity_id: 101, entity_name: "Charter 1", changes: [] };
  other.answers.set("GET /api/audit", {
    body: [
      { ...entry, id: 2, at: "2026-09-02T22:59:00Z", action: "changed" },
      { ...entry, id: 1, at: "2026-09-01T23:30:00Z", action: "issued" },
    ],
  });
  const rows = page.getByRole("table").getByRole("row");
  for (const [query, count] of [
    ["", 2],
    // Past midnight in a London summer.
    ["date_from=02-09-2026&date_to=02-09-2026", 2],
    ["date_to=01-09-2026", 0],
    ["action=Issued&entity=charter", 1],
  ] as const) {
    await page.goto(`/audit?${query}`);
    await expect(rows, query).toHaveCount(count && count + 1);
  }
});

test("a document shows what its reply has, its QR code, and no button for what the provider can't do", async ({
  page,
}) => {
  await page.goto("/documents/101");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 1");
  await expect(page.getByText("NM-T100").first()).toBeVisible();
  for (const name of ["Archive", "Exited", "Edit"]) {
    await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Get QR" }).click();
  expect(await readQr(await page.getByRole("img", { name: "QR code" }).first().screenshot())).toBe(
    "https://trent.example/d/101",
  );
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PNG" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^\d{10}\.png$/);
  expect(await readQr(readFileSync(await download.path()))).toBe("https://trent.example/d/101");
});

test("a QR code at another address than the provider's is not fetched", async ({ page, other }) => {
  other.answers.set("GET /api/documents/101", { body: { id: 101, files: { qrcode: "http://127.0.0.1:1/qr.svg" } } });
  expect((await page.request.get("/files/documents/101/qrcode.png")).status()).toBe(404);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9H0z"/></svg>`;
  other.answers.set("GET /api/documents/101", { body: { id: 101, files: { qrcode: "/codes/101.svg" } } });
  other.answers.set("GET /codes/101.svg", { body: svg, headers: { "content-type": "image/svg+xml" } });
  const answer = await page.request.get("/files/documents/101/qrcode.png");
  expect([...(await answer.body()).subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join("")).toBe("PNG");
});

test("an alert shows what its reply has, and no act that the provider can't do", async ({ page, other }) => {
  await page.goto("/alerts/1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fake scan of Charter 1");
  for (const fact of ["A-77", "Charter 1", "Wharf", "2026-09-14 16:20", "53.4794", "-2.2453"]) {
    await expect(page.getByRole("definition").filter({ hasText: fact })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: /Complete|Reopen/ })).toHaveCount(0);
  expect(sent(other).filter((request) => request.includes("/alerts"))).toEqual(["GET /api/alerts/1"]);
  other.answers.set("GET /api/alerts/1", { body: { id: 1 } });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Alert");
  expect((await page.goto("/alerts/2"))!.status()).toBe(404);
  await page.goto("/alerts");
  await expect(page.getByText("Your provider does not offer alerts.")).toBeVisible();
});

test("a picture is shown from the provider's own address, and from no other", async ({ page, other }) => {
  const { buffer } = await picture("olive.png");
  const shown = page.getByRole("main").locator("img");
  other.answers.set("GET /api/users/7", { body: { id: 7, name: "Olive Trent", imageUrl: "/pictures/olive.png" } });
  other.answers.set("GET /pictures/olive.png", { body: buffer, headers: { "content-type": "image/png" } });
  await page.goto("/users/view/7");
  await expect(shown).toHaveJSProperty("naturalHeight", 800);
  other.answers.set("GET /api/users/7", { body: { id: 7, name: "Olive Trent", imageUrl: "http://127.0.0.1:1/o.png" } });
  await page.reload();
  await expect(shown).toHaveJSProperty("naturalHeight", 0);
  await expect(page.getByRole("main")).toContainText("OT");
  expect((await page.request.get("/files/users/7/image")).status()).toBe(404);
});

async function fill(page: import("@playwright/test").Page, hasScripts: boolean) {
  await chooseType(page);
  await expect(page.getByLabel("User email")).toHaveValue(otherSignIn.email);
  await page.getByLabel("Document name").fill("Deed of gift");
  await page.getByLabel("Company users access group").fill("Anglers");
  await page.getByRole("button", { name: "Custom fields" }).click();
  await page.getByLabel("Name of the new field").fill("Bank");
  await page.getByLabel("Value of the new field").fill("Trent & Sons");
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, await pdf("deed.pdf"), await picture("seal.png"));
  await expect(page.getByRole("button", { name: "Remove page 2" })).toBeVisible();
  await next(page);
  await step(page, "Review");
}

const create = (page: import("@playwright/test").Page) => page.getByRole("button", { name: "Create" }).click();
const storing = "POST /api/documents/storeDocument";

test("the wizard sends the whole draft, with its files as a list", async ({ page, hasScripts, other }) => {
  await fill(page, hasScripts);
  await create(page);
  await expect(page).toHaveURL("/documents/101");
  await expect(page.getByRole("status").filter({ hasText: "Deed of gift was issued" })).toBeVisible();
  const [request, ...more] = other.requests.filter(({ path }) => path.endsWith("/storeDocument"));
  expect(more).toEqual([]);
  const fields = request!.fields.filter(([name]) => !["date"].includes(name));
  expect(fields.toSorted()).toEqual([
    ["access_type", "QR access"],
    ["custom_fields[0][name]", "Bank"],
    ["custom_fields[0][value]", "Trent & Sons"],
    ["document_subtype", "Lease"],
    ["document_type", "Contract"],
    ["email", otherSignIn.email],
    ["expire_date", ""],
    ["expire_type", "never"],
    ["files[]", "deed.pdf"],
    ["files[]", "seal.png"],
    ["name", "Deed of gift"],
    ["number", ""],
    ["prolongation", "0"],
    ["qr_placing", "bottom-right:first:medium"],
    ["users_access_group", "Anglers"],
  ]);
  expect(new Map(request!.fields).get("date")).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(request!.headers["idempotency-key"]).toMatch(/^[\da-f-]{36}$/);
});

test("without an id in the reply, Create leads to the list", async ({ page, hasScripts, other }) => {
  other.answers.set(storing, { body: "created", status: 201 });
  await fill(page, hasScripts);
  await create(page);
  await expect(page).toHaveURL("/documents/list");
  await expect(page.getByRole("status").filter({ hasText: "Deed of gift was issued" })).toBeVisible();
});

test("a refusal leads to the step and field that it is about", async ({ page, hasScripts, other }) => {
  const errors = { name: ["There is such a deed already."] };
  other.answers.set(storing, { status: 422, body: { message: "Invalid", errors } });
  await fill(page, hasScripts);
  await create(page);
  await step(page, "Details");
  await expect(page.getByRole("alert")).toContainText("There is such a deed already.");
  await expect(page.getByLabel("Document name")).toHaveValue("Deed of gift");
});

test("a session that the provider ended is signed in again and goes on where it was", async ({
  page,
  hasScripts,
  other,
}) => {
  await fill(page, hasScripts);
  const review = new URL(page.url()).pathname;
  other.answers.set("GET /api/users", { status: 401, body: { message: "Unauthenticated." } });
  await create(page);
  await expect(page).toHaveURL(/\/login\?next=/);
  other.answers.clear();
  await page.getByLabel("Email").fill(otherSignIn.email);
  await page.getByLabel("Password").fill(otherSignIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(review);
  await create(page);
  await expect(page).toHaveURL("/documents/101");
});

test("logging out clears the session though the provider has no such call", async ({ page, context }) => {
  await page.goto("/logout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
  expect((await context.request.get("/dashboard", { maxRedirects: 0 })).status()).toBe(302);
});

test("what the provider does not offer is said, and our own provider is not there", async ({ page }) => {
  await page.goto("/documents/edit/101");
  await expect(page.getByText("Your provider does not offer changing documents.")).toBeVisible();
  for (const path of ["/users/roles", "/users/group", "/users/group?id=1"]) {
    await page.goto(path);
    await expect(page.getByText("Your provider does not offer access groups.")).toBeVisible();
  }
  await page.goto("/documents/101?dialog=readers");
  await expect(page.getByRole("link", { name: "Who can see this?" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await page.request.get("/api/users")).status()).toBe(404);
});

test("profile, tariffs and help say that the provider does not offer them, and lead back", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page.getByRole("banner").getByRole("link", { name: "SilverState 1" })).toHaveCount(0);
  await page.getByRole("banner").getByRole("link", { name: "Olive Trent" }).click();
  await expect(page.getByText("Your provider does not offer profiles.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to the dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
  await expect(page.getByText("Your provider does not offer help.")).toBeVisible();
  await page.goto("/tariffs");
  await expect(page.getByText("Your provider does not offer tariffs.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to the dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("tariffs without a bill are listed, none are not found, and a refused change is told", async ({ page, other }) => {
  const plan = { id: 4, name: "Angler", min_users: 1, max_users: 9, price_per_user: 7.5, min_monthly: 20, pages: 50 };
  other.answers.set("GET /api/tariffs", { body: [{ ...plan, extra_page: 0.1 }] });
  await page.goto("/tariffs");
  await expect(page.getByRole("row", { name: /^Angler/ })).toContainText("£7.50");
  await expect(page.getByText("Projected bill")).toHaveCount(0);
  await page.getByRole("link", { name: "Choose Angler" }).click();
  await page.getByRole("button", { name: "Change to Angler" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Your provider does not offer tariff changes.");
  other.answers.set("GET /api/tariffs", { body: [] });
  await page.goto("/tariffs");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("a guide that the provider gives whole is searched and paged here", async ({ page, other }) => {
  const body = Array.from({ length: 7 }, (_, n) => ({ id: n + 1, question: `Question ${n + 1}`, answer: "Fish" }));
  other.answers.set("GET /api/help", { body });
  await page.goto("/help");
  await expect(page.getByText("1 - 5 of 7")).toBeVisible();
  await page.getByLabel("Search the guide").fill("question 3");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("article")).toHaveText([/^Question 3/]);
  other.answers.set("GET /api/help", { body: [] });
  await page.goto("/help");
  await expect(page.getByRole("heading", { name: "Answer not found in guide" })).toBeVisible();
});

test("branches and the company profile are not made up", async ({ page }) => {
  for (const path of ["list", "new", "view/1", "edit/1", "profile?tab=branches"]) {
    expect((await page.goto(`/branches/${path}`))?.status(), path).toBe(501);
    await expect(page.getByText("Your provider does not offer branches.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Go to the dashboard" })).toBeVisible();
  }
  await page.goto("/branches");
  await expect(page.getByText("Your provider does not offer company profiles.")).toBeVisible();
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
});
