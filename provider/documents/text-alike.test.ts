import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importForm, table } from "#tests/fixtures/imports.ts";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { companyWithLists } from "#tests/fixtures/documents.ts";
import { fold } from "#lib/text.ts";
import { sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";

const suite = describe.runIf(hasDatabase());

/** Of a fixture with a JSON string a line, which are all read as ZW-0001. */
const [firstNumber, ...lookAlikes] = readFileSync("tests/fixtures/lookalike-numbers.txt", "utf8")
  .split("\n")
  .filter((line) => line.startsWith('"'))
  .map((line) => JSON.parse(line) as string) as [string, ...string[]];

const oddTexts = [
  "İstanbul Işıkları",
  "Straße nach Łódź",
  "Søren Ærø",
  "Đặng Thị Hồng",
  "محمد علی‌رضا",
  "مُحَمَّدٌ أحمد",
  "दस्तावेज़ किताब",
  "合同书 第一号",
  "Οδός Ψυχής",
  "Ёлка и йод",
  "ﬁrst ﬂoor",
  "ＷＩＤＥ １２３",
  "O’Brien — “quoted”",
];

suite("numbers that are read alike", () => {
  test("are free for one document of a company only", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, { number: firstNumber });
    expect(status).toBe(201);
    expect(lookAlikes).toHaveLength(7);
    for (const number of [
      ...lookAlikes,
      "zw 0001",
      "ZW-OOO1",
      "ΖW-0001",
      "Z\u051C-0001",
      "No. ZW-0001",
      "ZW/0001",
      "ＺＷ－０００１",
    ]) {
      const again = await issue(admin.token, { number });
      expect([again.status, Object.keys(again.json.errors ?? {})], JSON.stringify(number)).toEqual([422, ["number"]]);
      const { json: savedDocument } = await call("verify", { params: { code: json.code }, query: { number } });
      expect(savedDocument.paper, JSON.stringify(number)).toBe("same");
    }
    const other = await company();
    expect((await issue(other.admin.token, { number: "ZW‑0001" })).status).toBe(201);
  });

  test("differ if separators stand between other digits", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    for (const number of ["1/12/2026", "11/2/2026"]) expect((await issue(admin.token, { number })).status).toBe(201);
    const { status, json } = await issue(admin.token, { number: "1122026" });
    expect(status).toBe(422);
    expect(json.errors.number[0]).toMatch(/^The number 1122026 is read like 1\/12\/2026, which is already used/);
  });

  test("are stored without invisible characters", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token, { number: "\u200eAB-\u00ad\u200c12\u200b", name: "علی\u200cرضا\u200b" });
    expect(json).toMatchObject({ number: "AB-12", name: "علی\u200cرضا" });
  });
});

suite("a number typed beside a code", () => {
  test("one slip away is requested again, raises no alert, and counts as another’s when it is typed again", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const { json: document } = await issue(admin.token, { number: "HR-204711" });
    await issue(admin.token, { number: "HR-204712" });
    const params = { code: document.code };
    const verify = async (number: string, more = {}) =>
      (await call("verify", { params, query: { number, ...more } })).json;
    const scan = (number: string, again = "") => call("recordScan", { params, body: { number, again } });
    const scans = async () =>
      (await call("listDocumentScans", { token: admin.token, params: { id: document.id } })).json;
    for (const number of ["HR-204771", "HR-20471", "HR-2047111", "HR-204171"]) {
      expect(await verify(number), number).toMatchObject({ paper: "near", verdict: "in force", open_pages: [] });
      expect(await verify(number, { again: "1" }), number).toMatchObject({ paper: "other", verdict: "other paper" });
    }
    // Another document has it.
    expect(await verify("HR-204712")).toMatchObject({ paper: "other" });
    expect(await verify("HR-999999")).toMatchObject({ paper: "other" });
    expect(await verify("Nr. HR 2O4711")).toMatchObject({ paper: "same" });
    await scan("HR-204771");
    expect((await scans())[0]).toMatchObject({ verdict: "in force" });
    await scan("HR-204771", "1");
    expect((await scans())[0]).toMatchObject({ verdict: "other paper" });
  });
});

suite("searches", () => {
  test("find texts of many languages as they are typed, alike on both databases", async () => {
    const { add, list } = await companyWithLists(await testProvider());
    await add(oddTexts.map((name, n) => ({ name, number: `T-${n}` })));
    const find = async (name: string) => (await (await list({ name })).part({ size: 50 })).rows.map((row) => row.name);
    for (const [input, stored] of [
      ["ISTANBUL", 0],
      ["isik", 0],
      ["ıstanbul", 0],
      ["strasse", 1],
      ["STRASSE NACH LODZ", 1],
      ["soren", 2],
      ["aero", 2],
      ["dang thi", 3],
      ["علیرضا", 4],
      ["علي", 4],
      ["محمد احمد", 5],
      ["दस्तावेज", 6],
      ["合同书", 7],
      ["ΟΔΟΣ", 8],
      ["οδοσ ψυχησ", 8],
      ["елка", 9],
      ["first floor", 10],
      ["wide 123", 11],
      ["o'brien - \"", 12],
    ] as const) {
      expect(await find(input), input).toEqual([oddTexts[stored]]);
    }
    expect(await find("иод")).toEqual([]);
  });

  test("compare in SQL as everywhere else", async () => {
    const { db } = await testProvider();
    for (const text of [
      ...oddTexts,
      ...lookAlikes,
      "A  b",
      "ΌΣΟΣ",
      "Київ",
      "ẞ Æ Œ Þ",
      "\u1E9E\u0130",
      "٣۴५৫",
      "a\tb\nc",
    ]) {
      const { rows } = await sql<{ folded: string }>`select fold(${text}) as folded`.execute(db);
      expect(rows[0]!.folded, text).toBe(fold(text));
    }
  });

  test("find users by their address in both forms of its domain", async () => {
    const { company, call } = await testProvider();
    const { admin } = await company();
    const user = {
      name: "Ann O’Hara",
      role: "clerk",
      staff: "Administrator",
      country: "Eire",
      city: "Cork",
      index: "T12",
    };
    const email = "ann.o'hara+x@bücher.example";
    const userReply = await call("createUser", { token: admin.token, body: { ...user, email } });
    expect([userReply.status, userReply.json.email]).toEqual([201, email]);
    for (const input of ["bücher", "BUCHER", "xn--bcher-kva", "o'hara+x@"]) {
      const { json } = await call("listUsers", { token: admin.token, query: { email: input } });
      expect(
        json.map((one: { email: string }) => one.email),
        input,
      ).toEqual([email]);
    }
    const twin = { ...user, email: "Ann.O'Hara+X@xn--bcher-kva.example" };
    expect((await call("createUser", { token: admin.token, body: twin })).json.errors).toHaveProperty("email");
  });

  test("fold every character in SQL as everywhere else", async () => {
    const { db } = await testProvider();
    // PostgreSQL 15 knows Unicode 14.
    const newer =
      /[\u1c89\ua7cb-\ua7f1\u{105c9}\u{105e4}\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}\u{1ccd6}-\u{1ccef}\u{1e030}-\u{1e06d}\p{Cn}]/u;
    const assigned = Array.from({ length: 0x1fffe }, (_, n) => n + 1).filter((code) => code < 0xd800 || code > 0xdfff);
    const signs = assigned.map((code) => String.fromCodePoint(code)).filter((sign) => !newer.test(sign));
    const { rows } = await sql<{
      sign: string;
      folded: string;
    }>`select value as sign, fold('x' || value || 'Y') as folded
      from ${isPostgres(db) ? sql`json_array_elements_text(${JSON.stringify(signs)}::json) as value` : sql`json_each(${JSON.stringify(signs)})`}`.execute(
      db,
    );
    const wrong = rows.filter(({ sign, folded }) => folded !== fold(`x${sign}Y`));
    expect(wrong.map(({ sign }) => sign.codePointAt(0)!.toString(16)).join(" ")).toBe("");
  });

  test("names of branches that differ in capitals, accents and joiners alone are one name", async () => {
    const { company, call } = await testProvider();
    const { admin } = await company();
    const create = (name: string) =>
      call("createBranch", {
        token: admin.token,
        body: { name, country: "UK", city: "Leeds", index: "LS1", manager: admin.email },
      });
    expect((await create("Straße")).status).toBe(201);
    for (const name of ["STRASSE", "Stra\u00adße", "Strasse\u200b"]) {
      expect((await create(name)).json.errors, name).toHaveProperty("name");
    }
  });
});

suite("an email address", () => {
  test.each([
    "o'hara@a.example",
    "!#$%&'*+/=?^_`{|}~-@a.example",
    '"quoted part"@a.example',
    "a@bücher.example",
    "a@例え.テスト",
  ])("%s is accepted", async (email) => {
    const { company, call } = await testProvider();
    const { admin } = await company();
    const user = { name: "Ann", role: "clerk", staff: "Administrator", country: "Eire", city: "Cork", index: "T12" };
    const { status, json } = await call("createUser", { token: admin.token, body: { ...user, email } });
    expect([status, json.email ?? json.errors]).toEqual([201, email]);
  });

  test.each([
    ["jürgen@a.example", "Enter an email address with letters from a to z before the @"],
    ["a..b@a.example", "Enter an email address like name@company.example"],
    ["a b@a.example", "Enter an email address like name@company.example"],
    ["a@b", "Enter an email address like name@company.example"],
    ["a@1.2.3.4", "Enter an email address like name@company.example"],
  ])("%s is refused", async (email, message) => {
    const { company, call } = await testProvider();
    const { admin } = await company();
    const user = { name: "Ann", role: "clerk", staff: "Administrator", country: "Eire", city: "Cork", index: "T12" };
    const { status, json } = await call("createUser", { token: admin.token, body: { ...user, email } });
    expect([status, json.errors?.email?.[0]]).toEqual([422, message]);
  });
});

suite("an unusual email address", () => {
  test.each([
    ["=o'hara+x@bücher.example", "=O'Hara+X@xn--bcher-kva.example"],
    ['"a, b"@bücher.example', '"A, B"@BÜCHER.example'],
  ])("%s signs in, is mailed and mentioned, and is found in tables", async (email, written) => {
    const provider = await testProvider();
    const { company, call, issue, mails, run } = provider;
    const { id: companyId, admin } = await company();
    const { token } = admin;
    await call("prove", { token, body: { current_password: password } });
    expect((await call("changeEmail", { token, body: { email } })).status).toBe(204);
    const link = /token=(\S+)/.exec(mails.findLast(({ to }) => to === email)?.text ?? "")?.[1];
    expect((await call("confirmEmail", { token: link! })).status).toBe(204);
    for (const one of [email, written]) {
      expect((await call("login", { body: { email: one, password } })).status, one).toBe(200);
    }
    const { json: document } = await issue(token, { email: written });
    const id = await alertOf(provider, { companyId, documentId: document.id });
    const body = email.includes(" ") ? { text: "See", notify: email } : { text: `See @${email}` };
    const comment = await call("addComment", { token, params: { id }, body });
    expect([comment.status, comment.json.errors ?? []]).toEqual([201, []]);
    const rows = [
      ["Email", "City"],
      [written, "Bonn"],
    ];
    const { json } = await call("createImport", { token, body: importForm("users", table(rows)) });
    expect(json.counts ?? json.errors).toMatchObject({ changed: 1, refused: 0 });
    await run("mail");
  });
});
