import { describe, expect, test } from "vitest";
import { contactKey } from "./contact.ts";
import { mentionsIn } from "./mentions.ts";
import { everyone } from "../../contract/document-options.ts";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A company with a document for everyone, an alert about it, a user who may change alerts and one who may not see them. */
async function withCase() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token, { users_access_group: everyone });
  const id = await alertOf(provider, { companyId, documentId: document.id });
  await provider.group(companyId, "Desk", { alerts: "C:R/W" });
  await provider.group(companyId, "Papers", { docs: "C:R/W/C" });
  const anna = await provider.user(companyId, { name: "Anna Desk", group: "Desk" });
  const clerk = await provider.user(companyId, { name: "Carl Clerk", group: "Papers" });
  const params = { id };
  const comment = (text: string, token = admin.token, notify = "") =>
    provider.call("addComment", { token, params, body: { text, notify } });
  return { ...provider, provider, companyId, admin, anna, clerk, document, id, params, comment };
}

suite("POST /alerts/{id}/comments", () => {
  test("mails each mentioned colleague once, with the comment and without its links", async () => {
    const { anna, comment, mails, run, call, admin, params } = await withCase();
    const text = `@Anna Desk, see https://evil.example.\nAlso @${anna.email}: or @anna desk`;
    const { status, json } = await comment(text, admin.token, anna.email);
    expect([status, json]).toMatchObject([201, { author: "Ada Admin", text, notified: ["Anna Desk"], removed: false }]);
    await run("mail");
    expect(mails.map(({ to }) => to)).toEqual([anna.email]);
    expect(mails[0]!.subject).toBe("You were mentioned in a comment on AL-000001");
    expect(mails[0]!.text).toContain("> Also @");
    expect(mails[0]!.text).not.toContain("https://evil.example");
    const { json: history } = await call("alertHistory", { token: admin.token, params });
    expect(history.map(({ action }: { action: string }) => action)).toContain("commented");
  });

  test("refuses mentions of those who may not see the alert in the same words as of strangers", async () => {
    const { clerk, comment, company, call, admin, params, mails, run } = await withCase();
    const foreign = (await company()).admin;
    for (const email of [clerk.email, foreign.email, "no@one.example"]) {
      const refusal = `Nobody called “${email}” may see this alert: check the name, or leave out the @`;
      const { status, json } = await comment(`Ask @${email} about it`);
      expect([status, json.errors]).toEqual([422, { text: [refusal] }]);
      expect((await comment("Ask", admin.token, email)).json.errors).toEqual({ notify: [refusal] });
    }
    expect((await comment("@Carl Clerk")).json.errors.text[0]).toContain("Nobody called “Carl”");
    await run("mail");
    expect(mails).toEqual([]);
    expect((await call("listComments", { token: admin.token, params })).json).toEqual([]);
  });

  test("requires the address if several have the name, and fewer mentions than eleven", async () => {
    const { user, companyId, comment } = await withCase();
    await user(companyId, { name: "Anna Desk", group: "Desk" });
    expect((await comment("@Anna Desk")).json.errors.text[0]).toContain("use the email address");
    expect((await comment("@Ada ".repeat(11))).json.errors.text).toEqual(["Mention 10 colleagues at most"]);
  });

  test("needs a text of 2,000 characters at most and the right to write alerts, and is limited", async () => {
    const { group, user, companyId, comment } = await withCase();
    expect((await comment(" ")).json.errors).toEqual({ text: ["Enter the comment"] });
    expect((await comment("x".repeat(2001))).status).toBe(422);
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    expect((await comment("Hello", reader.token)).status).toBe(403);
    for (let n = 0; n < 60; n++) await comment(`${n}`);
    expect((await comment("one more")).status).toBe(429);
  });
});

suite("GET /alerts/{id}/comments", () => {
  test("lists them in order", async () => {
    const { call, admin, anna, params, comment } = await withCase();
    await comment("First");
    await comment("Second", anna.token);
    const { json } = await call("listComments", { token: admin.token, params });
    expect(json.map(({ author, text }: Record<string, string>) => [author, text])).toEqual([
      ["Ada Admin", "First"],
      ["Anna Desk", "Second"],
    ]);
  });
});

suite("DELETE /alerts/{id}/comments/{n}", () => {
  test("removes the text for its author only, once", async () => {
    const { call, admin, anna, params, comment, db } = await withCase();
    const { json } = await comment("A secret for @Anna Desk");
    const remove = (token: string) => call("removeComment", { token, params: { ...params, n: json.id } });
    expect((await remove(anna.token)).status).toBe(403);
    expect((await remove(admin.token)).status).toBe(204);
    expect((await remove(admin.token)).status).toBe(404);
    const { json: remainingComments } = await call("listComments", { token: admin.token, params });
    expect(remainingComments).toMatchObject([{ text: "", removed: true, notified: [] }]);
    const rows = await db.selectFrom("alert_comments").select("text").execute();
    expect(JSON.stringify(rows)).not.toContain("secret");
  });
});

test("mentions are addresses or the words after an @, and nothing inside of words", () => {
  expect(mentionsIn("a@b.example and @ 5pm")).toEqual([]);
  expect(mentionsIn("(@anna@desk.example).")).toEqual([["anna@desk.example"]]);
  expect(mentionsIn("Ask @Anna Desk.")).toEqual([["Anna Desk", "Anna"]]);
  expect(mentionsIn("@Anna Desk’s, (@anna@desk.example's)")[0]).toContain("Anna Desk");
  expect(mentionsIn("@Anna Desk’s, (@anna@desk.example's)")[1]).toEqual(["anna@desk.example"]);
});

test("contacts are compared by address or by the end of a number", () => {
  expect(contactKey("Mail Me@Home.example, please")).toBe("me@home.example");
  expect(contactKey("0161 496 0777")).toBe(contactKey("+44 (161) 496-0777"));
  for (const nothing of ["", "room 12", "ask at the desk"]) expect(contactKey(nothing)).toBe("");
});
