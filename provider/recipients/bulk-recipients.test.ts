import { describe, expect, test } from "vitest";
import { bulkIssue, checkedBulkIssue } from "#tests/fixtures/bulk-issues.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const columns = ["Recipient", "Recipient email", "Language"];
const rows = [
  ["BULK-1", "Ann’s training", "a.png", "Ann", "ann@recipient.example", "de"],
  ["BULK-2", "Ben’s training", "b.png", "Ben", "ben@recipient.example", "Français"],
  ["BULK-3", "Nobody’s training", "a.png", "", "", ""],
];

async function fixture(settings: object = { delivers: "1" }) {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company("Hallam");
  const { token } = admin;
  const set = (body: object) =>
    provider.call("updateRecipientSettings", { token, body: { delivery_days: "90", ...body } });
  await set(settings);
  const table = (given: object = {}) => ({ columns, rows, ...given });
  const checked = (given: object = {}) => checkedBulkIssue(provider, token, table(given));
  const issue = async ({ about }: Awaited<ReturnType<typeof bulkIssue>>, leave_out_wrong = "") => {
    await provider.call("startBulkIssue", { ...about, body: { leave_out_wrong } });
    await provider.run("bulk issues");
    return (await provider.call("listBulkRows", about)).json as {
      state: string;
      problems: object[];
      document: number;
    }[];
  };
  const problems = async ({ about }: Awaited<ReturnType<typeof bulkIssue>>) =>
    (await provider.call("listBulkRows", about)).json.map((row: { problems: object[] }) => row.problems);
  /** As if all had been sent a day ago. */
  const yesterday = () =>
    provider.db.updateTable("recipients").set({ created_at: "2026-11-20T10:00:00.000Z" }).execute();
  return { ...provider, companyId, token, yesterday, set, table, checked, issue, problems };
}

suite("recipients in the table of a bulk issue", () => {
  test("are sent their documents once these are issued, each in their language", async () => {
    const { call, token, checked, issue, mails } = await fixture();
    const issued = await issue(await checked());
    expect(issued.map(({ state }) => state)).toEqual(["issued", "issued", "issued"]);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ann@recipient.example", "“Hallam” hat Ihnen ein Dokument gesendet"],
      ["ben@recipient.example", expect.stringContaining("vous a envoyé un document")],
    ]);
    const recipientsOf = async ({ document: id }: { document: number }) =>
      (await call("listRecipients", { token, params: { id } })).json;
    expect(await recipientsOf(issued[0]!)).toMatchObject([{ name: "Ann", is_waiting: false }]);
    expect(await recipientsOf(issued[2]!)).toEqual([]);
  });

  test("are wrong by their columns", async () => {
    const { checked, problems } = await fixture();
    const wrong = [
      ["BULK-1", "One", "a.png", "Ann", "no address", "xx"],
      ["BULK-2", "Two", "b.png", "", "ben@recipient.example", ""],
    ];
    const [first, second] = await problems(await checked({ rows: wrong }));
    expect(first.map(({ column }: { column: string }) => column)).toEqual(["Recipient email", "Language"]);
    expect(second).toEqual([{ column: "Recipient", message: "Enter the name" }]);
  });

  test("are columns of a company that sends documents alone", async () => {
    const { call, token, set, checked, issue } = await fixture({ delivers: "0" });
    const { about } = await checked();
    expect((await call("getBulkIssue", about)).json.mapping).toEqual(["number", "name", "file", "", "", ""]);
    const mapping = ["number", "name", "file", "recipient_name", "recipient_email", ""];
    expect((await call("mapBulkColumns", { ...about, body: { mapping } })).status).toBe(422);
    await set({ delivers: "1" });
    const half = { mapping: mapping.map((field) => (field === "recipient_name" ? "" : field)) };
    expect((await call("mapBulkColumns", { ...about, body: half })).status).toBe(422);
    const rest = await checked({ rows: rows.map(([number, ...cells]) => [`${number}-B`, ...cells]) });
    await set({ delivers: "0" });
    const refused = await issue(rest);
    const message = "Your company does not send documents: an administrator can turn it on under Settings";
    expect(refused.map(({ state }) => state)).toEqual(["refused", "refused", "issued"]);
    expect(refused[0]!.problems).toEqual([{ column: "", message }]);
    expect((await call("listDocuments", { token })).json).toHaveLength(1);
  });

  test("are wrong with a document that is not in force", async () => {
    const { checked, problems } = await fixture();
    const what = { date: "2026-11-01", expire_type: "date", expire_date: "2026-11-20" };
    const [first, , third] = await problems(await checked({ what }));
    expect(first).toEqual([{ column: "Recipient email", message: "Only a document in force can be sent" }]);
    expect(third).toEqual([]);
  });

  /** A checked bulk issue whose rows wait for another user, and their release. */
  async function awaitingRelease() {
    const provider = await fixture();
    const { call, token, user, group, companyId, checked, issue } = provider;
    await group(companyId, "Releasers", { docs: "C:R/W/C/L" });
    const releaser = await user(companyId, { group: "Releasers" });
    const rule = { document_type: "", branch_id: "", access_group_id: "", field: "", at_least: "", releasers: 1 };
    await call("createReleaseRule", { token, body: rule });
    const { about } = await checked();
    await issue({ about, id: about.params.id });
    const release = async (number: string) => {
      const { json: waiting } = await call("listReleases", { token: releaser.token });
      const { id, version } = waiting.find((one: { number: string }) => one.number === number);
      const given = { token: releaser.token, params: { id }, body: { version } };
      expect((await call("releaseDraft", given)).status).toBe(200);
    };
    const sentTo = () => provider.mails.map(({ to }) => to).filter((to) => to.endsWith("@recipient.example"));
    return { ...provider, about, release, sentTo };
  }

  test("are sent what another user releases, not before", async () => {
    const { release, sentTo } = await awaitingRelease();
    expect(sentTo()).toEqual([]);
    await release("BULK-1");
    expect(sentTo()).toEqual(["ann@recipient.example"]);
  });

  test("have a row that says why what was released was not sent to them", async () => {
    const { call, about, release, sentTo, set } = await awaitingRelease();
    await set({ delivers: "0" });
    await release("BULK-2");
    expect(sentTo()).toEqual([]);
    const message = expect.stringMatching(/^Not sent: Your company does not send documents/);
    const rowsWith = async (state: string) => (await call("listBulkRows", { ...about, query: { state } })).json;
    expect(await rowsWith("wrong")).toMatchObject([
      { state: "issued", number: "BULK-2", problems: [{ column: "Recipient email", message }] },
    ]);
    const text = async (name: "getBulkResult" | "getBulkRefused") =>
      Buffer.from((await call(name, about)).bytes).toString();
    expect(await text("getBulkResult")).toContain("Recipient email: Not sent: ");
    expect(await text("getBulkRefused")).not.toContain("BULK-2");
  });
});

suite("reminding the recipients of many documents", () => {
  test("sends another link to those who have not opened theirs, once a day at most", async () => {
    const { call, token, checked, issue, mails, yesterday, db } = await fixture();
    const issued = await issue(await checked());
    const ids = issued.map(({ document }) => document).join(",");
    const remind = async () => (await call("startDocumentActions", { token, body: { act: "remind", ids } })).json;
    mails.length = 0;
    expect(await remind()).toMatchObject({ done: 0, skipped: 1, refused: 2 });
    await yesterday();
    const ofBen = db.updateTable("recipients").set({ opened_at: "2026-11-21T10:00:00.000Z" });
    await ofBen.where("name", "=", "Ben").execute();
    expect(await remind()).toMatchObject({
      done: 1,
      reasons: [
        { state: "skipped", reason: "All its recipients have opened it" },
        { state: "skipped", reason: "It was sent to nobody" },
      ],
    });
    expect(await remind()).toMatchObject({ done: 0, refused: 1 });
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ann@recipient.example", "Erinnerung: “Hallam” hat Ihnen ein Dokument gesendet"],
    ]);
  });

  test("leaves out who has opened their document, and whose link was ended", async () => {
    const { call, token, checked, issue, mails, yesterday, db } = await fixture();
    const [first] = await issue(await checked());
    const of = { token, params: { id: first!.document } };
    for (const name of ["Opened", "Ended"]) {
      const body = { name, email: `${name}@recipient.example`, language: "en" };
      await call("sendDocument", { ...of, body });
    }
    await yesterday();
    const at = "2026-11-21T10:00:00.000Z";
    await db.updateTable("recipients").set({ opened_at: at }).where("name", "=", "Opened").execute();
    await db.updateTable("recipients").set({ ended_at: at }).where("name", "=", "Ended").execute();
    mails.length = 0;
    await call("startDocumentActions", { token, body: { act: "remind", ids: String(first!.document) } });
    expect(mails.map(({ to }) => to)).toEqual(["ann@recipient.example"]);
  });

  test("is for those who may change the documents, while they are in force", async () => {
    const { call, token, user, group, companyId, checked, issue, mails, yesterday } = await fixture();
    const [first] = await issue(await checked());
    await group(companyId, "Readers", { docs: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    await yesterday();
    mails.length = 0;
    const order = { act: "remind", ids: String(first!.document) };
    expect((await call("startDocumentActions", { token: reader.token, body: order })).status).toBe(403);
    await call("exitDocument", { token, params: { id: first!.document } });
    expect((await call("startDocumentActions", { token, body: order })).json).toMatchObject({
      done: 0,
      reasons: [{ state: "refused", reason: "Only a document in force can be sent" }],
    });
    expect(mails).toEqual([]);
  });
});
