import { describe, expect, test } from "vitest";
import { addDocuments, signedInAs } from "#tests/fixtures/documents.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { countExpiringSoon, expiringForFeed, expiringIn } from "../documents/list/expiring.ts";

/** When documents expire. */

const suite = describe.runIf(hasDatabase());

const dated = (expire_date: string) => ({ expire_type: "date", expire_date });

async function withCalendar() {
  const provider = await testProvider();
  const { call, company } = provider;
  const { id: companyId, admin } = await company();
  const { token } = admin;
  const days = async (month: string, by = token) =>
    ((await call("getCalendar", { token: by, query: { month } })).json.days as { date: string }[]).map((day) => day);
  const newFeed = async (by = token) => (await call("createCalendarFeed", { token: by })).json.address as string;
  const secretOf = (address: string) => /\/calendar\/([\w-]{43})\.ics$/.exec(address)![1]!;
  const read = (address: string, from = "192.0.2.9") =>
    call("readCalendarFeed", { params: { secret: secretOf(address) }, address: from });
  const text = async (address: string) => Buffer.from((await read(address)).bytes).toString();
  return { ...provider, companyId, admin, token, days, newFeed, secretOf, read, text };
}

suite("GET /calendar", () => {
  test("has the days of a month on which documents of the list expire, with the first ones", async () => {
    const { call, token, issue, days } = await withCalendar();
    const names = ["One", "Two", "Three", "Four"];
    for (const name of names) await issue(token, { name, ...dated("2026-12-24") });
    await issue(token, { name: "Last day", ...dated("2026-12-31") });
    await issue(token, { name: "Next month", ...dated("2027-01-01") });
    await issue(token, { name: "Never" });
    const deletions = [];
    for (const name of ["Withdrawn", "Archived"])
      deletions.push((await issue(token, { name, ...dated("2026-12-01") })).json.id);
    await call("exitDocument", { token, params: { id: deletions[0] } });
    await call("archiveDocument", { token, params: { id: deletions[1] } });
    expect(await days("2026-12")).toMatchObject([
      {
        date: "2026-12-24",
        documents: 4,
        is_capped: false,
        first: [{ name: "Four" }, { name: "Three" }, { name: "Two" }],
      },
      { date: "2026-12-31", documents: 1, first: [{ name: "Last day" }] },
    ]);
    expect(await days("2026-11")).toEqual([]);
    const { json } = await call("getCalendar", { token });
    expect([json.month, json.today]).toEqual(["2026-11", "2026-11-21"]);
    for (const month of ["2026-13", "26-12", "never"]) {
      expect((await call("getCalendar", { token, query: { month } })).status, month).toBe(422);
    }
  });

  test("has what the reader may see", async () => {
    const { company, companyId, user, group, token, issue, days } = await withCalendar();
    await issue(token, { name: "Admin's", ...dated("2026-12-24") });
    await group(companyId, "Own only", { docs: "P:R/W/C" });
    const owner = await user(companyId, { group: "Own only" });
    await issue(owner.token, { name: "Own", ...dated("2026-12-24") });
    expect(await days("2026-12", owner.token)).toMatchObject([{ documents: 1, first: [{ name: "Own" }] }]);
    expect(await days("2026-12", (await company("Other")).admin.token)).toEqual([]);
  });

  test("counts each day to a limit, and takes the soonest for a feed", async () => {
    const { companyId, admin, ...provider } = await withCalendar();
    const { db } = provider;
    const rows = ["2026-12-01", "2026-12-02", "2026-12-03"].flatMap((expire_date) =>
      [1, 2, 3].map((n) => ({ name: `${expire_date} ${n}`, expire_date })),
    );
    await addDocuments(provider, companyId, admin.id, rows);
    const actor = await signedInAs(provider, admin.token);
    const expiries = await expiringIn(db, actor, "2026-12", 2);
    expect(expiries.map(({ date, documents, is_capped }) => [date, documents, is_capped])).toEqual(
      ["2026-12-01", "2026-12-02", "2026-12-03"].map((date) => [date, 2, true]),
    );
    const soon = await expiringForFeed(db, actor, "2026-11-21", { months: 12, events: 4 });
    expect(soon.map(({ expire_date }) => expire_date)).toEqual([...Array(3).fill("2026-12-01"), "2026-12-02"]);
    expect(await expiringForFeed(db, actor, "2026-12-03", { months: 12, events: 9 })).toHaveLength(3);
  });
});

suite("GET /calendar/expiring", () => {
  test("counts what expires within 30 days, as the list of those documents does", async () => {
    const provider = await withCalendar();
    const { call, companyId, user, group, token, issue, db } = provider;
    await group(companyId, "Own only", { docs: "P:R/W/C" });
    const other = await user(companyId, { group: "Own only" });
    for (const day of ["2026-11-22", "2026-12-21", "2026-12-22"]) await issue(token, dated(day));
    await issue(token, { ...dated("2026-12-01"), email: other.email });
    const { id } = (await issue(token, dated("2026-12-01"))).json;
    await call("exitDocument", { token, params: { id } });
    expect(await countExpiringSoon(db, await signedInAs(provider, token), "2026-11-21", 2)).toEqual({
      documents: 2,
      is_capped: true,
    });
    for (const [by, count] of [
      [token, 3],
      [other.token, 1],
    ] as const) {
      const listed = { status: "active,exited", validity: "expiring", page: "1" };
      expect((await call("listDocuments", { token: by, query: listed })).json).toHaveLength(count);
      expect((await call("countExpiring", { token: by })).json).toEqual({ documents: count, is_capped: false });
    }
  });
});

suite("GET /calendar/feed", () => {
  test("says when the user's own address was made, never what it is", async () => {
    const { call, token, newFeed, secretOf, company } = await withCalendar();
    const feed = async (by = token) => (await call("getCalendarFeed", { token: by })).json;
    expect(await feed()).toEqual({ created_at: null });
    const secret = secretOf(await newFeed());
    expect(await feed()).toEqual({ created_at: "2026-11-21T10:00:00.000Z" });
    expect(JSON.stringify(await feed())).not.toContain(secret);
    expect(await feed((await company("Other")).admin.token)).toEqual({ created_at: null });
  });
});

suite("POST /calendar/feed", () => {
  test("stores a hash alone, and ends an earlier address", async () => {
    const { call, token, newFeed, secretOf, read, db } = await withCalendar();
    const first = await newFeed();
    expect((await read(first)).status).toBe(200);
    const second = await newFeed();
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    const rows = await db.selectFrom("calendar_feeds").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secretOf(second));
    const trail = await call("listAudit", { token, query: { action: "calendar address made" } });
    expect(trail.json).toHaveLength(2);
    expect(JSON.stringify(trail.json)).not.toContain(secretOf(second));
  });
});

suite("DELETE /calendar/feed", () => {
  test("ends the address, and once there is none changes nothing", async () => {
    const { call, token, newFeed, read } = await withCalendar();
    const address = await newFeed();
    for (const _ of [1, 2]) expect((await call("removeCalendarFeed", { token })).status).toBe(204);
    expect((await read(address)).status).toBe(404);
    const trail = await call("listAudit", { token, query: { action: "calendar address removed" } });
    expect(trail.json).toHaveLength(1);
  });
});

suite("GET /calendar/{secret}", () => {
  test("is an iCalendar stream with a day for each document that expires within 12 months", async () => {
    const { token, issue, newFeed, text } = await withCalendar();
    const name = `Lease; “Dock, 4” \\ ${"ü".repeat(60)}`;
    const { json: document } = await issue(token, { name, number: "NM-7", ...dated("2026-12-24") });
    await issue(token, { number: "NM-8", ...dated("2027-12-24") });
    const content = await text(await newFeed());
    expect(content).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:/);
    expect(content).toMatch(/\r\nEND:VCALENDAR\r\n$/);
    expect(content.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    for (const line of content.split("\r\n")) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
    const lines = content.replaceAll("\r\n ", "").split("\r\n");
    expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        `UID:document-${document.id}-expires@sealdesk.example`,
        "DTSTAMP:20261121T100000Z",
        "DTSTART;VALUE=DATE:20261224",
        `SUMMARY:NM-7 expires: Lease\\; “Dock\\, 4” \\\\ ${"ü".repeat(60)}`,
      ]),
    );
    expect(content).not.toContain(document.code);
    // At nine in the morning, a week before.
    const alarm = lines.slice(lines.indexOf("BEGIN:VALARM"), lines.indexOf("END:VALARM"));
    expect(alarm).toEqual(expect.arrayContaining(["ACTION:DISPLAY", "TRIGGER:-P6DT15H"]));
    expect(alarm.find((line) => line.startsWith("DESCRIPTION:NM-7 expires: Lease"))).toBeDefined();
  });

  test("has the same bytes and ETag until something changes", async () => {
    const { token, issue, newFeed, read, clock } = await withCalendar();
    await issue(token, dated("2026-12-24"));
    const address = await newFeed();
    const first = await read(address);
    clock.now = new Date("2026-11-21T15:00:00Z");
    const second = await read(address);
    expect(second.bytes).toEqual(first.bytes);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(first.headers.get("cache-control")).toMatch(/^private,/);
    await issue(token, dated("2026-12-25"));
    expect((await read(address)).headers.get("etag")).not.toBe(first.headers.get("etag"));
  });

  test("follows the user's rights, and ends with the user", async () => {
    const { call, companyId, user, group, token, issue, newFeed, read, text, db } = await withCalendar();
    await group(companyId, "Readers", { docs: "C:R" });
    const { id: nothing } = await group(companyId, "Nothing", {});
    const reader = await user(companyId, { group: "Readers" });
    await issue(token, { number: "NM-7", ...dated("2026-12-24") });
    const address = await newFeed(reader.token);
    expect(await text(address)).toContain("NM-7");
    await db.updateTable("access_groups").set({ docs: "P:R" }).where("name", "=", "Readers").execute();
    expect(await text(address)).not.toContain("NM-7");
    const setGroup = (access_group_id: number) =>
      db.updateTable("users").set({ access_group_id }).where("id", "=", reader.id).execute();
    const { access_group_id } = await db
      .selectFrom("users")
      .where("id", "=", reader.id)
      .select("access_group_id")
      .executeTakeFirstOrThrow();
    await setGroup(nothing);
    expect((await read(address)).status).toBe(404);
    await setGroup(access_group_id);
    expect((await read(address)).status).toBe(200);
    await call("removeUser", { token, params: { id: reader.id } });
    expect((await read(address)).status).toBe(404);
  });

  test("refuses guesses from one network after some, and no other network", async () => {
    const { call, newFeed, read } = await withCalendar();
    const address = await newFeed();
    const guess = () => call("readCalendarFeed", { params: { secret: "g".repeat(43) }, address: "198.51.100.1" });
    for (let n = 0; n < 30; n++) expect((await guess()).status).toBe(404);
    expect((await guess()).status).toBe(429);
    expect((await read(address)).status).toBe(200);
    for (const secret of ["short", "x".repeat(44), `${"x".repeat(42)}.`]) {
      expect((await call("readCalendarFeed", { params: { secret } })).status).toBe(404);
    }
  });
});

suite("GET /documents, by the day on which they expire", () => {
  test("has those of the day alone, in either form of the date, with any other filter", async () => {
    const { call, token, issue } = await withCalendar();
    await issue(token, { name: "Lease", ...dated("2026-12-24") });
    await issue(token, { name: "Permit", ...dated("2026-12-24") });
    await issue(token, { name: "Later", ...dated("2026-12-25") });
    const names = async (query: Record<string, string>) =>
      ((await call("listDocuments", { token, query: { page: 1, ...query } })).json as { name: string }[])
        .map(({ name }) => name)
        .toSorted();
    expect(await names({ expires: "2026-12-24" })).toEqual(["Lease", "Permit"]);
    expect(await names({ expires: "24-12-2026", name: "lea" })).toEqual(["Lease"]);
    expect(await names({ expires: "24-12-2026", validity: "in force", sort: "name" })).toEqual(["Lease", "Permit"]);
    expect(await names({ expires: "24-12-2026", validity: "expired" })).toEqual([]);
    expect(await names({ expires: "2026-12-24", date_to: "2020-01-01" })).toEqual([]);
    expect(await names({ expires: "some day" })).toEqual([]);
  });
});
