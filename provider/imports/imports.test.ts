import { describe, expect, test } from "vitest";
import { benRow, table, userColumns, withUsers } from "#tests/fixtures/imports.ts";
import { hasDatabase, password } from "#tests/fixtures/provider.ts";
import { textRows, xlsx } from "#tests/fixtures/tables.ts";
import { daysInMs } from "#lib/units.ts";
import { issueToken } from "../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

suite("POST /imports", () => {
  test("finds no change in what was exported, in CSV and XLSX", async () => {
    const { ben, send, token, call } = await withUsers();
    const rows = [userColumns, benRow(ben.id)];
    const files = [table(rows), await xlsx({ sheets: { Users: textRows(rows) } })];
    for (const file of files) {
      const { status, json } = await send("users", file);
      expect(status, JSON.stringify(json)).toBe(201);
      expect(json).toMatchObject({ kind: "users", file: "list.csv", status: "ready", needs_proof: false });
      expect(json.counts).toEqual({ new: 0, changed: 0, unchanged: 1, refused: 0, added: 0, saved: 0 });
      expect((await call("getImport", { token, params: { id: json.id } })).json).toEqual(json);
    }
  });

  test("previews changes by field, and matches by email if there is no ID", async () => {
    const { send, rowsOf, ben } = await withUsers();
    const { json } = await send(
      "users",
      table([
        ["Email", "Phone", "City", "Notes"],
        ["BEN@c.example", "", "Bonn", "x"],
        ["new@c.example", "1", "", ""],
      ]),
    );
    expect(json).toMatchObject({ ignored: ["Notes"], counts: { changed: 1, refused: 1 } });
    expect(await rowsOf(json.id)).toMatchObject([
      {
        line: 2,
        record_id: ben.id,
        name: "Ben",
        state: "changed",
        changes: [
          { field: "email", before: "ben@c.example", after: "BEN@c.example" },
          { field: "phone", before: "+49 30", after: "" },
          { field: "city", before: "", after: "Bonn" },
        ],
      },
      {
        line: 3,
        record_id: null,
        state: "refused",
        why: "Name: Enter the name. Access group: Choose the access group",
      },
    ]);
  });

  test("refuses rows by field, unknown IDs, and two rows about one record", async () => {
    const { send, rowsOf, ben } = await withUsers();
    const { json } = await send(
      "users",
      table([
        userColumns,
        ["Ben", "ben@c.example", "1", "None", "Nowhere", "", `${ben.id}`],
        ["Ben", "ben@c.example", "1", "Administrator", "Preston", "", "99999"],
        ["Cy", "cy@c.example", "", "Administrator", "", "", ""],
        ["Cy", "CY@c.example", "", "Administrator", "", "", ""],
      ]),
    );
    const why = (await rowsOf(json.id)).map((row: { why: string }) => row.why);
    expect(why).toEqual([
      "Branch: Choose a branch whose users you may change. Access group: Choose an access group of your company",
      "ID: there is no user with this ID that you can see. Leave it empty to add a new one",
      "",
      "Line 4 is about the same user",
    ]);
  });

  test("does not find users of another company, by ID or email", async () => {
    const { send, rowsOf, company } = await withUsers();
    const { admin: other } = await company();
    const { json } = await send(
      "users",
      table([
        ["ID", "Email", "Phone"],
        [`${other.id}`, "x@c.example", "1"],
        ["", other.email, "2"],
      ]),
    );
    const rows = await rowsOf(json.id);
    expect(rows.map(({ record_id }: { record_id: number | null }) => record_id)).toEqual([null, null]);
    expect(rows[0].why).toContain("there is no user with this ID");
  });

  test("refuses a file that is no table, has no key, or has a formula without a value", async () => {
    const { send } = await withUsers();
    const fileError = async (content: string | Buffer) => (await send("users", content)).json.errors?.file?.[0];
    expect(await fileError("")).toBe("The file is empty: its first row has the names of the columns");
    expect(await fileError("City\nBonn")).toBe(
      "The first row of the table needs a column “ID” or “Email”, as in an exported list",
    );
    expect(await fileError(Buffer.from("%PDF\0"))).toContain("The file is damaged or no table");
    const formula = await xlsx({ sheets: { A: `${textRows([["ID"]])}<row><c><f>1</f></c></row>` } });
    expect(await fileError(formula)).toContain("Line 2, “ID”: the formula has no value");
    expect(await fileError(`ID\n${"1\n".repeat(10_001)}`)).toBe("There are more than 10,000 rows: divide the file");
  });

  test("refuses a file that is too large, and a form without one", async () => {
    const { call, token, send } = await withUsers();
    expect((await send("users", Buffer.alloc(20 * 1024 * 1024 + 1, "a\n"))).json.message).toContain("at most 20 MB");
    const form = new FormData();
    form.append("kind", "users");
    expect((await call("createImport", { token, body: form })).json.errors.file[0]).toBe("Choose the file first");
  });

  test("is for those who may change or add such records", async () => {
    const { send, user, group, companyId } = await withUsers();
    await group(companyId, "Readers", { users: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    expect((await send("users", table([["ID"], ["1"]]), reader.token)).status).toBe(403);
  });

  test("keeps the newest five of each user", async () => {
    const { send, call, token } = await withUsers();
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push((await send("users", table([["ID"], ["1"]]))).json.id);
    expect((await call("getImport", { token, params: { id: ids[0]! } })).status).toBe(404);
    expect((await call("getImport", { token, params: { id: ids[1]! } })).status).toBe(200);
  });
});

suite("GET /imports/{id}", () => {
  test("is the caller's own, and for a day", async () => {
    const { send, call, token, admin, add, company, clock, db, run } = await withUsers();
    const { json } = await send("users", table([["ID"], ["1"]]));
    const params = { id: json.id };
    const secret = { password, password_confirmation: password };
    await add({ name: "Dora", email: "dora@c.example", ...secret });
    const { json: colleague } = await call("login", { body: { email: "dora@c.example", password } });
    const { admin: stranger } = await company();
    for (const other of [colleague.token, stranger.token]) {
      for (const name of ["getImport", "listImportRows"] as const) {
        expect((await call(name, { token: other, params })).status, name).toBe(404);
      }
      expect((await call("applyImport", { token: other, params })).status).toBe(404);
    }
    expect((await call("getImport", { token, params })).status).toBe(200);
    clock.now = new Date(clock.now.getTime() + daysInMs(1));
    const session = await issueToken(db, "session", admin.id, clock.now);
    expect((await call("getImport", { token: session, params })).status).toBe(404);
    expect((await call("applyImport", { token: session, params })).status).toBe(404);
    await run("expired");
    expect(await db.selectFrom("imports").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("import_rows").selectAll().execute()).toEqual([]);
  });
});

suite("GET /imports/{id}/rows", () => {
  test("has the rows of one state in pages", async () => {
    const { send, rowsOf } = await withUsers();
    const { json } = await send(
      "users",
      table([
        ["ID", "Phone"],
        ["1000001", "1"],
        ["1000002", "1"],
        ["x", "1"],
      ]),
    );
    expect(await rowsOf(json.id, { state: "refused", page: 2, per_page: 2 })).toMatchObject([
      { line: 4, cells: ["x", "1"] },
    ]);
    expect(await rowsOf(json.id, { state: "new" })).toEqual([]);
  });
});
