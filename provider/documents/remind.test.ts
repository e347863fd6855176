import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A company in London whose administrator issues documents on 21-11-2026 that are meant to be prolonged. */
async function fixture() {
  const provider = await testProvider();
  const { mails, clock, run, issue, call } = provider;
  const { id: companyId, admin } = await provider.company();
  const lease = async (fields: Record<string, unknown> = {}) =>
    (await issue(admin.token, { expire_type: "date", expire_date: "2027-11-20", prolongation: "1", ...fields })).json;
  /** What comes when the reminders are looked after at an instant: the receivers with the subjects. */
  const at = async (instant: string) => {
    clock.now = new Date(instant);
    await run("reminders");
    return mails.splice(0).map(({ to, subject }) => [to, subject]);
  };
  const on = (date: string) => at(`${date}T12:00:00Z`);
  /** Signs in again, as sessions end meanwhile. */
  const act = async (
    name: "prolongDocument" | "exitDocument" | "archiveDocument" | "reactivateDocument",
    id: number,
  ) => {
    const { json } = await call("login", { body: { email: admin.email, password: password } });
    return (await call(name, { token: json.token, params: { id } })).json;
  };
  return { ...provider, companyId, admin, lease, at, on, act };
}

const expires = (date: string) => `“Lease of a hall” expires on ${date}`;

suite("reminders", () => {
  test("are sent 30, 7 and 1 days before a document expires, each once", async () => {
    const { admin, lease, on } = await fixture();
    await lease();
    const expected = [[admin.email, expires("20-11-2027")]];
    const days: [string, string[][]][] = [
      ["2027-10-20", []],
      ["2027-10-21", expected],
      ["2027-10-22", []],
      ["2027-11-12", []],
      ["2027-11-13", expected],
      ["2027-11-14", []],
      ["2027-11-19", expected],
      ["2027-11-20", []],
      ["2027-11-21", []],
    ];
    for (const [day, expected] of days) expect(await on(day), day).toEqual(expected);
  });

  test("name the document, its number and the date, and link to its prolongation", async () => {
    const { lease, run, clock, mails } = await fixture();
    const { id } = await lease({ number: "NM-TEST01" });
    clock.now = new Date("2027-10-21T12:00:00Z");
    await run("reminders");
    expect(mails[0]!.text).toContain("20-11-2027  “Lease of a hall”, number “NM-TEST01”\n");
    expect(mails[0]!.text).toContain(`https://sealdesk.example/documents/${id}?dialog=prolong\n`);
  });

  test("that were missed are sent late, only the most urgent one", async () => {
    const { admin, lease, on } = await fixture();
    await lease();
    const expected = [[admin.email, expires("20-11-2027")]];
    expect(await on("2027-10-25")).toEqual(expected);
    expect(await on("2027-11-20")).toEqual(expected);
    expect(await on("2027-11-20")).toEqual([]);
  });

  test("follow the calendar of the company", async () => {
    const { companyId, lease, at, db } = await fixture();
    await lease();
    await db.updateTable("companies").set({ timezone: "Pacific/Auckland" }).where("id", "=", companyId).execute();
    expect(await at("2027-10-20T10:59:00Z")).toEqual([]);
    expect(await at("2027-10-20T11:00:00Z")).toHaveLength(1);
    await db.updateTable("companies").set({ timezone: "America/Los_Angeles" }).where("id", "=", companyId).execute();
    expect(await at("2027-11-13T07:59:00Z")).toEqual([]);
    expect(await at("2027-11-13T08:00:00Z")).toHaveLength(1);
  });

  test("start again when a document is prolonged or gets another date", async () => {
    const { call, admin, lease, on, act } = await fixture();
    const { id } = await lease();
    expect(await on("2027-11-19")).toHaveLength(1);
    expect((await act("prolongDocument", id)).expire_date).toBe("2028-11-20");
    expect(await on("2027-11-20")).toEqual([]);
    expect(await on("2028-10-21")).toEqual([[admin.email, expires("20-11-2028")]]);
    const { json: session } = await call("login", { body: { email: admin.email, password: password } });
    const { json: document } = await call("getDocument", { token: session.token, params: { id } });
    const body = { ...document, files: undefined, expire_date: "2029-01-31" };
    await call("updateDocument", { token: session.token, params: { id }, body });
    expect(await on("2028-11-13")).toEqual([]);
    expect(await on("2029-01-01")).toEqual([[admin.email, expires("31-01-2029")]]);
  });

  test("skip days that had passed when the date was set", async () => {
    const { lease, on, act } = await fixture();
    const { id } = await lease({ expire_date: "2026-12-05" });
    expect(await on("2026-11-21")).toEqual([]);
    expect(await on("2026-11-28")).toHaveLength(1);
    expect((await act("prolongDocument", id)).expire_date).toBe("2026-12-19");
    expect(await on("2026-11-28")).toEqual([]);
    expect(await on("2026-12-12")).toHaveLength(1);
  });

  test("are for active documents with prolongation, also once reactivated", async () => {
    const { lease, on, act } = await fixture();
    const withdrawn = await lease({ name: "Withdrawn" });
    const archived = await lease({ name: "Archived" });
    await lease({ name: "Left to expire", prolongation: "0" });
    await lease({ name: "For ever", expire_type: "never", expire_date: undefined });
    await act("exitDocument", withdrawn.id);
    await act("archiveDocument", archived.id);
    expect(await on("2027-10-21")).toEqual([]);
    await act("reactivateDocument", withdrawn.id);
    expect((await on("2027-10-22")).map(([, subject]) => subject)).toEqual(["“Withdrawn” expires on 20-11-2027"]);
  });

  test("go to an active owner who may read documents", async () => {
    const { lease, on, user, group, companyId, db, call, admin } = await fixture();
    const owner = await user(companyId, { name: "Olga Owner" });
    const leaver = await user(companyId);
    await group(companyId, "Nothing", {});
    const blind = await user(companyId, { group: "Nothing" });
    for (const { email } of [owner, leaver, blind]) await lease({ email });
    await call("removeUser", { token: admin.token, params: { id: leaver.id } });
    expect(await on("2027-10-21")).toEqual([[owner.email, expires("20-11-2027")]]);
    await db.updateTable("documents").set({ owner_id: admin.id }).where("owner_id", "=", leaver.id).execute();
    expect(await on("2027-10-22")).toEqual([[admin.email, expires("20-11-2027")]]);
  });

  test("list many documents in one message, soonest first, and two processes send it once", async () => {
    const { lease, run, clock, mails } = await fixture();
    await lease({ name: "Later" });
    await lease({ name: "Sooner", expire_date: "2027-11-19" });
    await lease({ name: "Long after", expire_date: "2028-11-19" });
    clock.now = new Date("2027-10-21T12:00:00Z");
    await Promise.all([run("reminders"), run("reminders")]);
    expect(mails.map(({ subject }) => subject)).toEqual(["2 documents expire, the first on 19-11-2027"]);
    expect(mails[0]!.text).toMatch(/Sooner[^]*Later/);
    expect(mails[0]!.text).not.toContain("Long after");
  });

  test("keep companies apart, in messages and calendars", async () => {
    const { lease, issue, company, on, admin } = await fixture();
    const other = await company();
    await lease();
    const fields = { name: "Theirs", expire_type: "date", expire_date: "2027-11-20", prolongation: "1" };
    await issue(other.admin.token, fields);
    expect((await on("2027-10-21")).toSorted()).toEqual(
      [
        [admin.email, expires("20-11-2027")],
        [other.admin.email, "“Theirs” expires on 20-11-2027"],
      ].toSorted(),
    );
  });
});
