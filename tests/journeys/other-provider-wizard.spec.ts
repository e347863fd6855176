import { expect, test } from "../support/other-journey.ts";
import { otherSignIn } from "../support/other-provider.ts";
import { pdf, picture } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

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

test("the wizard sends the whole draft, with its files", async ({ page, hasScripts, other }) => {
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

test("a refusal leads to its step and field", async ({ page, hasScripts, other }) => {
  const errors = { name: ["There is such a deed already."] };
  other.answers.set(storing, { status: 422, body: { message: "Invalid", errors } });
  await fill(page, hasScripts);
  await create(page);
  await step(page, "Details");
  await expect(page.getByRole("alert")).toContainText("There is such a deed already.");
  await expect(page.getByLabel("Document name")).toHaveValue("Deed of gift");
});

const problems = (page: import("@playwright/test").Page) => page.getByRole("alert").getByRole("listitem");

test("a refused custom field leads to the tab that has it, whichever way its name is spelt", async ({
  page,
  hasScripts,
  other,
}) => {
  await fill(page, hasScripts);
  for (const name of ["custom_fields[0][value]", "custom_fields.0.value"]) {
    const errors = { [name]: ["There is no such bank."] };
    other.answers.set(storing, { status: 422, body: { message: "Invalid", errors } });
    await create(page);
    await step(page, "Details");
    await page.getByRole("alert").getByRole("link", { name: "There is no such bank." }).click();
    const value = page.getByLabel("Value", { exact: true });
    await expect(value).toBeFocused();
    await expect(value).toHaveAccessibleDescription(/There is no such bank/);
    await value.fill("Northern Trade Bank");
    await next(page);
    await step(page, "Pages");
    await next(page);
    await step(page, "Review");
  }
});

test("a refusal over several steps is shown on each of them, once", async ({ page, hasScripts, other }) => {
  const errors = {
    document_subtype: ["Leases are not kept here."],
    prolongation: ["Deeds are not prolonged."],
    "custom_fields[0][name]": ["Banks are not wanted."],
    "custom_fields[9][name]": ["A tenth field is missing."],
    "files.1": ["The seal is blurred.", "The seal is upside down."],
    stamp_duty: ["Pay the stamp duty.", "It is £5."],
    signature: ["Sign it."],
  };
  other.answers.set(storing, { status: 422, body: { message: "Invalid", errors } });
  await fill(page, hasScripts);
  await create(page);
  await step(page, "Type");
  await expect(problems(page)).toHaveText([
    "Pay the stamp duty.",
    "It is £5.",
    "Sign it.",
    "Leases are not kept here.",
  ]);
  await page.getByLabel("Document subtype").selectOption("Sale");
  await next(page);
  await step(page, "Details");
  await expect(problems(page)).toHaveText(["Deeds are not prolonged."]);
  await expect(page.getByLabel("Prolongation")).toHaveAccessibleDescription(/Deeds are not prolonged/);
  await next(page);
  await expect(problems(page)).toHaveText(["A tenth field is missing.", "Banks are not wanted."]);
  await next(page);
  await step(page, "Pages");
  await expect(problems(page)).toHaveText(["The seal is blurred.", "The seal is upside down."]);
  await next(page);
  await step(page, "Review");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("every message about what the form does not have is shown above the review", async ({
  page,
  hasScripts,
  other,
}) => {
  const errors = { stamp_duty: ["Pay the stamp duty.", "It is £5."], signature: "Sign it." };
  other.answers.set(storing, { status: 422, body: { message: "Invalid", errors } });
  await fill(page, hasScripts);
  await create(page);
  await step(page, "Review");
  await expect(problems(page)).toHaveText(["Pay the stamp duty.", "It is £5.", "Sign it."]);
});

test("after the provider ended a session, sign-in resumes the step", async ({ page, hasScripts, other }) => {
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
