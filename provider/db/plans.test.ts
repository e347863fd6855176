import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { password } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { type CallName, calls } from "../contract/calls.ts";

const tables =
  "companies|branches|users|access_groups|tokens|saved_views|audit|documents|document_copies|page_files|scans|scans_to_judge|alerts|alert_scans";
const wholeTable = new RegExp(`^SCAN (${tables})\\b`);

/** The statements that run when a visitor opens a code, a user signs in, and each list is read. */
async function statementsOfCalls() {
  const prepare = vi.spyOn(Sqlite.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const { call, admin, params, scan, db, document } = await withScans();
  prepare.mockClear();
  const { token } = admin;
  await call("verify", { params });
  await scan();
  await call("login", { body: { email: admin.email, password } });
  await call("getDocument", { token, params: { id: document.id } });
  for (const [name, { method, path }] of Object.entries(calls)) {
    if (method === "GET" && !path.includes("{")) await call(name as CallName, { token });
  }
  return { db, statements: prepare.mock.calls.map(([text]) => text) };
}

test.runIf(inject("database") === "sqlite")(
  "no list, code or sign-in makes SQLite read a whole table, as tables hold all companies' rows",
  async () => {
    const { db, statements } = await statementsOfCalls();
    // A range of an index that is named like its table is bounded.
    const reading = statements.filter((text) => /^\s*(select|with)/.test(text) && !text.includes(") as documents"));
    expect(reading.length).toBeGreaterThan(50);
    for (const text of reading) {
      const explained = sql.raw<{ detail: string }>(`explain query plan ${text.replaceAll("?", "null")}`);
      const steps = (await explained.execute(db)).rows.map(({ detail }) => detail);
      expect(
        steps.filter((step) => wholeTable.test(step)),
        text,
      ).toEqual([]);
    }
  },
);

test.runIf(inject("database") === "sqlite")(
  "a statement's values are none that SQLite looks at, so that it stays prepared",
  async () => {
    const { statements } = await statementsOfCalls();
    expect(statements.filter((text) => /(?<!\+)\?/.test(text))).toEqual([]);
  },
);
