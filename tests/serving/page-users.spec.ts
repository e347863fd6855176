import { addPages, asMadeFor, type FormClient, signInClient, startDraft } from "../support/form-client.ts";
import { runCommand } from "../support/command.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { textOf } from "../support/page-text.ts";
import { addressOf, signedInForms } from "../support/routes.ts";
import { expect, test as base } from "../support/serving.ts";

/** A page is made for one user: what another user's session sends from it is not handled, wherever that is. */

const aoife = { email: "aoife@hallam.example", password: "seal-desk-demo" };

const test = base.extend<object, { second: FormClient }>({
  second: [async ({ server }, use) => use(await signInClient(server.url, aoife)), { scope: "worker" }],
});

test.use({ serverEnv: { METRICS_TOKEN: metricsToken, LOG_LEVEL: "silent" } });

/** As documents and as the router's own requests, in both encodings, and with a file. */
const ways: [what: string, suffix: string, body: () => FormData | Record<string, string>][] = [
  ["a document", "", () => ({ intent: "save", name: "Typed by Helen" })],
  ["the router", ".data", () => ({ intent: "save", name: "Typed by Helen" })],
  ["a document with files", "", () => withFiles()],
  ["the router with files", ".data", () => withFiles()],
];

function withFiles() {
  const form = new FormData();
  form.set("name", "Typed by Helen");
  for (const field of ["image", "file", "files"]) form.append(field, new File(["x".repeat(50_000)], `${field}.pdf`));
  return form;
}

/** Calls that change something, and files that are stored for drafts. */
async function changes(server: Parameters<typeof metricsOf>[0]) {
  const all = [...(await metricsOf(server))];
  const isRead = /call="(currentUser|getOffers|health|list\w+|get\w+)"/;
  return all.filter(([name]) => /provider_calls_total|sealdesk_uploads_total/.test(name) && !isRead.test(name));
}

test("no form of a signed-in page is handled for another user's session, at any address", async ({
  server,
  client,
  second,
}) => {
  const addresses = signedInForms();
  expect(addresses.length).toBeGreaterThan(50);
  const helens = await client.pageUser();
  await second.pageUser();
  const before = await changes(server);
  for (const pattern of addresses) {
    for (const [what, suffix, body] of ways) {
      const path = addressOf(pattern) + suffix;
      const answer = await second.send(path, asMadeFor(helens, body()));
      const pageText = await answer.text();
      expect(answer.status, `${what}: ${path}`).toBe(409);
      for (const words of ["Helen Marsh", "Aoife Byrne", "Typed by Helen"]) expect(pageText, path).toContain(words);
      expect(answer.headers.get("set-cookie"), path).toBeNull();
    }
  }
  expect(await changes(server)).toEqual(before);
});

test("a form that does not say for whom its page was made, or not in our hand, is not handled either", async ({
  client,
  second,
}) => {
  const [who, name, signature] = (await client.pageUser()).split(".");
  const [other] = (await second.pageUser()).split(".");
  const forged = [undefined, "", "x", `${who}.${name}`, `${other}.${name}.${signature}`, `${who}..${signature}`];
  for (const pattern of signedInForms()) {
    for (const pageUser of forged) {
      const answer = await client.send(addressOf(pattern), asMadeFor(pageUser, { name: "Typed by hand" }));
      const pageText = textOf(await answer.text());
      expect([answer.status, pattern], pageUser).toEqual([409, pattern]);
      // A script's own request, whose reply nobody reads.
      const isPage = answer.headers.get("content-type")!.startsWith("text/html");
      expect(isPage, pattern).toBe(!pattern.endsWith("/options"));
      if (isPage) expect(pageText).toContain("This form does not say who opened it. You are signed in as Helen Marsh.");
      expect(pageText, pattern).toContain("Typed by hand");
      expect(pageText, pattern).not.toContain("Sign in as");
    }
  }
});

test("the same user signed in anew goes on", async ({ server, client }) => {
  const again = await signInClient(server.url);
  const answer = await again.send("/theme-of-nothing", asMadeFor(await client.pageUser(), {}));
  expect(answer.status).toBe(404);
  const form = { name: "Branch of the second session", country: "Ireland", city: "Cork", intent: "save" };
  expect((await again.send("/branches/new", asMadeFor(await client.pageUser(), form))).status).toBe(302);
});

test("passwords and codes are never shown again, and another user's draft can't be taken over", async ({
  client,
  second,
}) => {
  const helens = await client.pageUser();
  const secrets = { password: "correct horse", password_confirmation: "correct horse", code: "12345678" };
  const user = await second.send("/users/new", asMadeFor(helens, { name: "Ida", ...secrets }));
  const page = await user.text();
  expect(page).toContain("Save as Aoife Byrne");
  expect(page).not.toMatch(/correct horse|12345678/);

  const draft = await startDraft(client, "Helen's draft");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  for (const step of ["", "/fields", "/pages", "/review"]) {
    const pageText = textOf(await (await second.send(draft + step, asMadeFor(helens, { name: "Taken" }))).text());
    expect(pageText).toContain("It can’t be saved as Aoife Byrne");
    expect(pageText).not.toContain("Save as Aoife Byrne");
  }
});

test("markup in what was typed and in names stays text", async ({ client, second }) => {
  const form = { name: '"><script>alert(1)</script>', "<b>": "x" };
  const page = await (await second.send("/branches/new", asMadeFor(await client.pageUser(), form))).text();
  expect(page).not.toMatch(/<script>alert|<b>/);
});

test("a user of another company learns the name that was on the page, and saves nothing there", async ({
  server,
  client,
}) => {
  const founder = ["--name", "Strangers Ltd", "--admin-name", "Nora New", "--email", "nora@strangers.example"];
  const stores = { DATA_DIR: server.data, PUBLIC_URL: server.url };
  const { stdout: link } = await runCommand(stores, "create-company", ...founder);
  const password = "correct horse battery";
  const { pathname, search } = new URL(link.trim());
  await client.anonymous.post(pathname + search, { password, password_confirmation: password });
  const nora = await signInClient(server.url, { email: "nora@strangers.example", password });
  const helens = await client.pageUser();
  for (const path of ["/branches/edit/3", "/users/edit/2", "/settings/withdrawal-reasons"]) {
    const page = await (await nora.send(path, asMadeFor(helens, { city: "Typed at the counter" }))).text();
    expect(textOf(page)).toContain("Helen Marsh opened this form. You are signed in as Nora New.");
    expect(page).toContain("Typed at the counter");
    expect(page).not.toMatch(/Hallam|hallam\.example|Preston/);
  }
  // Saved as her own, it meets what her company lets her reach.
  const form = { name: "Nora's", country: "Ireland", city: "Cork", version: "1", intent: "save" };
  expect((await nora.post("/branches/edit/3", form)).status).toBe(404);
});

test("signing out is never asked about", async ({ server, client }) => {
  const leaving = await signInClient(server.url, aoife);
  const answer = await leaving.send("/logout", asMadeFor(await client.pageUser(), {}));
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login"]);
});
