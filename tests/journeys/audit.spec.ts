import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { signIn } from "../support/sample.ts";
import { addUser } from "../support/users.ts";
import { asUpload, picture } from "../support/page-files.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("an administrator finds in the audit trail who changed what, with old and new values", async ({ page }) => {
  const name = uniqueName("Vera Traced");
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByLabel("City").fill("Preston");
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name} was added` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit user");
  await page.getByLabel("City").fill("Leeds");
  await page.getByLabel("Password", { exact: true }).fill("a password of some length");
  await page.getByLabel("Confirm password").fill("a password of some length");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();

  await page.goto("/settings");
  await page.getByRole("link", { name: "Audit trail" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit trail");
  for (const heading of ["Date", "Who", "What", "Record", "Changes"]) {
    await expect(page.getByRole("columnheader", { name: heading, exact: true })).toBeVisible();
  }
  const search = page.getByRole("search");
  await unfold(search);
  await search.getByLabel("Record").fill(name.toUpperCase());
  await search.getByRole("button", { name: "Filter" }).click();
  const rows = page.getByRole("table", { name: "Audit trail" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText(`Password changed${name}User`);
  await expect(rows.nth(2)).toContainText(/^\d\d-\d\d-\d{4} \d\d:\d\dHelen MarshChanged/);
  await expect(rows.nth(2)).toContainText("City: Preston →");
  await expect(rows.nth(2)).toContainText("Leeds");
  await expect(rows.nth(4)).toContainText("Added");
  await expect(rows.nth(4).getByText("Active:")).toBeHidden();
  await rows.nth(4).getByText("2 more").click();
  await expect(rows.nth(4).getByText("Active:")).toBeVisible();

  await search.getByLabel("What", { exact: true }).selectOption("Invited");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(rows).toHaveCount(2);
  await search.getByLabel("To").fill("01-01-2020");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Clear the filters" }).click();
  await expect(page.getByText(/^1 - 5 of/)).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(/^6 - 10 of/)).toBeVisible();

  await page.goto(`/audit?entity=${encodeURIComponent(name)}`);
  await rows.nth(1).getByRole("link", { name }).click();
  await page.getByRole("link", { name: "History" }).click();
  const history = page.getByRole("table", { name: "History" }).getByRole("row");
  await expect(history).toHaveCount(5);
  await expect(history.nth(2)).toContainText("City: Preston →");
  await page.getByRole("link", { name: "Properties" }).click();
  await expect(page.getByText("Accountant")).toBeVisible();
});

test("a document's history lists its changes in pages", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const draft = await startDraft(client, uniqueName("Traced lease"));
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const document = await create(client, draft);
  for (const act of ["exit", "archive", "restore", "reactivate", "archive"])
    await client.post(document, { intent: act, reason: "1" });
  await page.goto(document);
  await page.getByRole("link", { name: "History" }).click();
  const rows = page.getByRole("table", { name: "History" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("ArchivedStatus: Active →");
  await expect(rows.nth(5)).toContainText(/^.*ExitedStatus: Active →.*Exited.*Withdrawal reason: .*Issued by mistake/);
  await expect(page.getByText("1 - 5 of 6")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("IssuedDocument name: Traced lease");
  await page.getByRole("link", { name: "System properties" }).click();
  await expect(page.getByText("Document access type")).toBeVisible();
});

test("a branch's history lists its changes, and who moved in and out", async ({ page, hasScripts }) => {
  // Each of the two projects has one of its own.
  const [id, name] = hasScripts ? [3, "Preston"] : [5, "Dublin Quay"];
  await page.goto(`/branches/view/${id}`);
  await page.getByRole("link", { name: "History" }).click();
  const rows = page.getByRole("table", { name: "History" }).getByRole("row");
  await expect(rows.filter({ hasText: "Phone:" }).first()).toContainText(
    /(Helen Marsh|Aoife Byrne)Changed.*Phone: \+.*→/,
  );
  await page.goto(`/branches/edit/${id}`);
  await page.getByLabel("Phone").fill("+353 20 910 0100");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(page.getByRole("status").filter({ hasText: "changes saved" })).toBeVisible();
  const user = uniqueName("Mo Moving");
  await addUser(page, user);
  for (const branch of [id, 4]) {
    await page.goto(`/branches/view/${branch}?dialog=add-user`);
    await page.getByLabel("Name or email").fill(user);
    await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
    await expect(page.getByRole("status").filter({ hasText: `${user} was moved to` })).toBeVisible();
  }
  await page.goto(`/branches/view/${id}?tab=history`);
  await expect(rows.nth(1)).toContainText(`Helen MarshUser moved outUser: ${user}To: Lancaster`);
  await expect(rows.nth(2)).toContainText(`User moved inUser: ${user}`);
  await expect(rows.nth(3)).toContainText("ChangedPhone:");
  await expect(rows.nth(3)).toContainText("+353 20 910 0100");
  await page.goto("/branches/view/4?tab=history");
  await expect(rows.filter({ hasText: user })).toContainText(`User moved inUser: ${user}From: ${name}`);
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page.getByRole("table", { name: "History" })).toHaveCount(0);
});

test("the audit trail is for administrators only, a record's history is not", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "API keys" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Audit trail" })).toHaveCount(0);
  for (const path of ["/audit", "/audit.csv"]) {
    expect((await page.goto(path))?.status(), path).toBe(403);
    await expect(page.getByText("Your access group does not let you see the audit trail.")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  }
  await page.goto("/documents/8?tab=history");
  await expect(page.getByRole("table", { name: "History" })).toContainText("Issued");
});

test("an administrator finds who signed in, failed, was refused, and exported what", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const name = uniqueName("Rea Refused");
  const who = { email: `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`, password: signIn.password };
  const form = { ...who, name, staff: "Accountant", password_confirmation: who.password, intent: "save" };
  expect((await client.post("/users/new", form)).status).toBe(302);
  for (const password of ["wrong", "wrong as well"]) {
    expect((await client.anonymous.post("/login", { email: who.email, password })).status).toBe(422);
  }
  const refused = await signInClient(server.url, who);
  expect((await refused.get("/users/new")).status).toBe(403);
  expect((await refused.get("/users/list.csv?city=Preston")).status).toBe(200);
  const search = page.getByRole("search");
  const rows = page.getByRole("table", { name: "Audit trail" }).getByRole("row");
  // What strangers and scripts cause is written a moment later.
  await expect(async () => {
    await page.goto(`/audit?trail=Access&actor=${encodeURIComponent(name)}`);
    await expect(rows).toHaveCount(4, { timeout: 1000 });
  }).toPass();
  await expect(search.getByLabel("Trail")).toHaveValue("access");
  await expect(rows.filter({ hasText: "Access refused" })).toContainText("/users/new");
  await expect(rows.filter({ hasText: "Exported" })).toContainText(/City: Preston.*Rows: \d+/);
  await expect(rows.filter({ hasText: "Signed in" })).toContainText("127.0.0.0/24");
  await expect(async () => {
    await page.goto(`/audit?entity=${encodeURIComponent(name)}&action=Sign-in+failed`);
    await expect(rows).toHaveCount(2, { timeout: 1000 });
  }).toPass();
  await expect(rows.nth(1)).toContainText(/A visitor.*Sign-in failed2 times since \d\d-\d\d-\d{4}/);
  await unfold(search);
  await search.getByLabel("Trail").selectOption("Changes");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  const csv = await (await client.get(`/audit.csv?trail=Access&entity=${encodeURIComponent(name)}`)).text();
  expect(csv).toContain('"Trail","Times","First","Browser","Network","API key"');
  expect(csv).toContain(`"A visitor","Sign-in failed"`);
});
