import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import { entriesOf, onStores, runCommand, type Stores, withSettings } from "../support/command.ts";
import { signInClient } from "../support/form-client.ts";

const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const filesOf = (stores: Stores) =>
  globSync("files/documents/*/{[0-9],sealed-*.pdf}", { cwd: stores.DATA_DIR })
    .map((path) => `${path} ${sha256(readFileSync(join(stores.DATA_DIR, path)))}`)
    .toSorted();

/** Makes a second company, whose administrator has an address of the sample company. */
async function addCompany(stores: Stores, name: string) {
  const names = ["--name", name, "--admin-name", "Olga Other", "--email", "olga@other.example"];
  const { exitCode } = await runCommand(stores, "create-company", ...names);
  expect(exitCode).toBe(0);
}

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`a company moves from SQLite to an installation on ${kind} that has others`, async ({
    sampleStores,
    emptyOf,
    folder,
  }) => {
    const [source, target] = [await sampleStores(), await emptyOf(kind)];
    await addCompany(source, "Not to be exported");
    await addCompany(target, "There before");
    const [file, earlier] = [join(folder, "company.tar"), join(folder, "earlier.tar")];
    expect((await runCommand(target, "backup", earlier)).exitCode).toBe(0);
    await onStores(target, "insert into audit_shipping (id, since) values (1, '2026-11-29T12:00:00.000Z')");
    const exported = await runCommand(source, "export-company", "1", file);
    expect([exported.exitCode, exported.stderr]).toEqual([0, expect.stringContaining("Exported Hallam & Reid Ltd: ")]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const entries = await entriesOf(file);
    expect(JSON.stringify(entries)).not.toMatch(/Not to be exported|olga@other/);
    const [company] = entries["rows/companies/1.ndjson"]!.trim().split("\n");
    expect(JSON.parse(company!)).toMatchObject({ id: 1, name: "Hallam & Reid Ltd" });
    expect(JSON.parse(entries["proof/jwks.json"]!).keys.length).toBeGreaterThan(0);
    expect(entries["proof/sealdesk-root.pem"]).toContain("BEGIN CERTIFICATE");
    expect(entries["rows/seal_keys/1.ndjson"]).not.toMatch(/"private_key":"/);

    const imported = await runCommand(target, "import-company", file);
    expect([imported.exitCode, imported.stderr]).toEqual([
      0,
      expect.stringMatching(/Imported Hallam & Reid Ltd as company (?!1:)\d+: /),
    ]);
    expect(imported.stdout).toContain("its root certificate is published here too");
    expect(filesOf(target)).toEqual(filesOf(source));
    const verified = await runCommand(target, "verify");
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining("No fault.")]);

    const rowsOf = async (table: string) =>
      Number((await onStores(target, `select count(*) as rows from ${table}`))[0]!.rows);
    expect(await rowsOf("audit")).toBeGreaterThan(100);
    const queues = ["audit_queue", "outbox", "webhook_deliveries"].map(rowsOf);
    expect(await Promise.all(queues), "what happened elsewhere is neither shipped nor sent").toEqual([0, 0, 0]);
    const drilled = await runCommand(target, "drill", earlier);
    expect([drilled.exitCode, drilled.stdout], "an earlier backup lacks nothing").toEqual([
      0,
      expect.stringContaining("in the database: 0; in the backup: 0\nThe drill passed"),
    ]);

    const [before, after] = [await serve(source), await serve(target)];
    try {
      const lists = await Promise.all(
        [before, after].map(async ({ url }) => {
          const client = await signInClient(url);
          return ["/documents/list.csv", "/alerts.csv", "/branches.csv", "/users/list.csv"].map(async (path) => {
            const reply = await client.get(path);
            // Users' ids, in the last column, are others.
            return [path, reply.status, (await reply.text()).replaceAll(/,"\d+"\r?$/gm, "")];
          });
        }),
      );
      expect(await Promise.all(lists[1]!)).toEqual(await Promise.all(lists[0]!));
      expect((await lists[1]![0])![1]).toBe(200);
    } finally {
      await Promise.all([before.stop(), after.stop()]);
    }

    const again = await runCommand(target, "import-company", file);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringContaining("was Hallam & Reid Ltd imported before?"),
    ]);
    expect(filesOf(target), "a refused import takes nothing away").toEqual(filesOf(source));
    expect((await runCommand(target, "verify")).stdout).toContain("No fault.");
  });
}

test("a company moves to an installation that was only migrated", async ({ sampleStores, emptyOf, folder }) => {
  const [source, target] = [await sampleStores(), await emptyOf("SQLite")];
  const file = join(folder, "company.tar");
  expect((await runCommand(source, "export-company", "1", file)).exitCode).toBe(0);
  expect((await runCommand(target, "migrate")).exitCode).toBe(0);
  const imported = await runCommand(target, "import-company", file);
  expect([imported.exitCode, imported.stderr]).toEqual([0, expect.stringContaining("Imported Hallam & Reid Ltd")]);
});

test("what collides is said, and a forged export is refused", async ({ sampleStores, emptyOf, folder }) => {
  const [source, target] = [await sampleStores(), await emptyOf("SQLite")];
  const file = join(folder, "company.tar");
  expect((await runCommand(source, "export-company", "1", file)).exitCode).toBe(0);
  expect((await runCommand(source, "export-company", "77", join(folder, "none.tar"))).stderr).toContain(
    "no company 77",
  );
  expect(existsSync(join(folder, "none.tar"))).toBe(false);
  await addCompany(target, "Hallam & Reid Ltd");
  const other = withSettings(target, { PUBLIC_URL: "http://localhost:4000" });
  const { exitCode, stdout } = await runCommand(other, "import-company", file);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("company 1 has the same name: Hallam & Reid Ltd")]);
  expect(stdout).toContain("add http://localhost:3000 to FORMER_URLS");
  const noExport = join(folder, "backup.tar");
  expect((await runCommand(source, "backup", noExport)).exitCode).toBe(0);
  expect((await runCommand(target, "import-company", noExport)).stderr).toContain("no export of a company");
});
