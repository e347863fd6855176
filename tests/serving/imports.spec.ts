import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import Database from "better-sqlite3";
import { signInOverHttp } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

const rows = 600;

const names = Array.from({ length: rows }, (_, n) => `Imported branch ${String(n).padStart(3, "0")}`);

/** A client of a server's API; of the same session at every server on the same data. */
const clientOf = (server: TestServer, token: string) => async (path: string, init?: RequestInit) => {
  const answer = await fetch(`${server.url}/api${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, json: (await answer.json()) as any };
};

/** The first column of what a statement finds. */
function stored(data: string, statement: string): unknown[] {
  const database = new Database(join(data, "sealdesk.db"));
  try {
    return database.prepare(statement).pluck().all();
  } finally {
    database.close();
  }
}

test("an import that is killed again and again applies each row once", async () => {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-import-"));
  cpSync(sampleData, data, { recursive: true });
  try {
    let server = await startServer({ on: data });
    const { token } = await signInOverHttp(server.url);
    let call = clientOf(server, token);
    const form = new FormData();
    form.set("kind", "branches");
    form.set(
      "file",
      new File([["Name,Country,City", ...names.map((name) => `${name},France,Lille`)].join("\n")], "b.csv"),
    );
    const { json: createdImport } = await call("/imports", { method: "POST", body: form });
    expect(createdImport).toMatchObject({ status: "ready", counts: { new: rows } });
    const path = `/imports/${createdImport.id}`;
    const readImport = async () => (await call(path)).json as { status: string; counts: { added: number } };
    expect((await call(`${path}/apply`, { method: "POST" })).status).toBe(200);
    const leftAtKills: number[] = [];
    for (let kills = 0; kills < 3; kills++) {
      // The work decides when, not the time.
      const before = rows - (leftAtKills.at(-1) ?? rows);
      await until(async () => (await readImport()).counts.added >= Math.min(before + 20, rows), "rows to be added");
      server.process.kill("SIGKILL");
      await until(() => server.process.signalCode !== null, "the process to end");
      const [remainder] = stored(data, "select count(*) from import_rows where state = 'new'") as [number];
      leftAtKills.push(remainder);
      server = await startServer({ on: data });
      call = clientOf(server, token);
    }
    expect(leftAtKills[0], "killed in the middle").toBeGreaterThan(0);
    await until(async () => (await readImport()).status === "done", "the import to end");
    expect((await readImport()).counts).toMatchObject({ added: rows, new: 0, refused: 0 });
    await server.stop();
    expect(stored(data, "select name from branches where city = 'Lille' order by name")).toEqual(names);
    const entries = "select entity_name from audit where entity = 'branch' and action = 'added'";
    expect(stored(data, `${entries} and entity_name like 'Imported branch %' order by entity_name`)).toEqual(names);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
