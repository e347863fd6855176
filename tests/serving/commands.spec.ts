import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import Sqlite from "better-sqlite3";
import { addPages, signInClient, startDraft } from "../support/form-client.ts";
import { makeFirstVersion, migrations, runCommand } from "../support/command.ts";
import { picture } from "../support/page-files.ts";
import { onServer } from "../support/postgres.ts";

test("prints usage and explains wrong arguments", async ({ folder }) => {
  const stores = { DATA_DIR: join(folder, "never made") };
  const list = await runCommand(stores);
  expect([list.exitCode, list.stdout]).toEqual([0, expect.stringContaining("create-company")]);
  expect(await runCommand(stores, "backup", "--help")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("backup FILE"),
  });
  for (const [args, reason] of [
    [["fly"], "There is no command fly."],
    [["backup"], "FILE is missing"],
    [["restore", "one", "two"], "unexpected argument: two"],
    [["verify", "--quickly"], "Unknown option '--quickly'"],
    [["create-company", "--name", "New Ltd"], "--admin-name is missing"],
  ] as const) {
    const { exitCode, stdout, stderr } = await runCommand({ ...stores, DATA_DIR: join(folder, "unused") }, ...args);
    expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining(reason)]);
  }
});

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, create-company works beside the server, and its link signs the administrator up`, async ({
    emptyOf,
  }) => {
    const stores = await emptyOf(kind);
    const server = await serve(stores);
    try {
      const who = ["--name", "New & Sons", "--admin-name", "Nora New", "--email", "nora@new.example"];
      const here = { ...stores, PUBLIC_URL: server.url };
      const result = await runCommand(here, "create-company", ...who);
      expect([result.exitCode, result.stdout]).toEqual([0, expect.stringMatching(/^http\S+\/signup\?token=\S+\n$/)]);
      const link = result.stdout.trim();
      expect(await (await fetch(link)).text()).toContain("nora@new.example");
      const password = "correct horse battery";
      const set = () =>
        fetch(link, {
          method: "POST",
          redirect: "manual",
          headers: { origin: server.url },
          body: new URLSearchParams({ password, password_confirmation: password }),
        });
      expect((await set()).headers.get("location")).toBe("/congratulations");
      expect((await set()).status, "the link is good for one use").toBe(401);
      const client = await signInClient(server.url, { email: "nora@new.example", password });
      expect(await (await client.get("/branches/profile")).text()).toContain("New &amp; Sons");

      const again = await runCommand(here, "create-company", ...who.with(1, "Other Ltd").with(5, "NORA@new.example"));
      expect([again.exitCode, again.stderr]).toEqual([
        1,
        expect.stringContaining("This email address is already used"),
      ]);
      const wrong = await runCommand(here, "create-company", ...who.with(1, " ").with(5, "nora"));
      expect([wrong.exitCode, wrong.stderr.split("\n").length]).toEqual([1, 3]);
      expect((await runCommand(stores, "verify")).stdout).toContain("No fault.");
    } finally {
      await server.stop();
    }
  });
}

test("verify reports what is missing, changed or miscounted, and backup refuses it", async ({
  sampleStores,
  freshFile,
}) => {
  const stores = await sampleStores();
  const [missing, changed, cut] = globSync(join(stores.DATA_DIR, "files/documents/*/1")) as [string, string, string];
  const key = (path: string) => path.slice(path.indexOf("documents/"));
  const [sealed] = globSync(join(stores.DATA_DIR, "files/documents/*/sealed-*.pdf")) as [string];
  const rows = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
  const nameOf = (path: string, what = "page file 1") => {
    const { id, number } = rows
      .prepare("select id, number from documents where folder = ?")
      .get(dirname(key(path))) as { id: number; number: string };
    return `document ${id} (${number}), ${what}`;
  };
  const company = rows.prepare("select documents from companies where id = 1").get() as { documents: number };
  rmSync(missing);
  for (const path of [changed, sealed]) {
    const content = readFileSync(path);
    content[100]! ^= 1;
    writeFileSync(path, content);
  }
  writeFileSync(cut, readFileSync(cut).subarray(0, 50));
  writeFileSync(join(stores.DATA_DIR, "files/documents/left over"), "");
  rows.exec(`pragma foreign_keys = off; update companies set documents = documents + 1;
    update documents set status = 'lost' where id = 3; update documents set owner_id = 999 where id = 4;
    update documents set code = '0' || substr(code, 2, 15) || '00' where id = 5;
    update companies set sealed_bytes = 7; update users set active = 0`);
  const { exitCode, stdout } = await runCommand(stores, "verify");
  const faults = [
    `${nameOf(missing)} is missing: ${key(missing)}`,
    `${nameOf(changed)} differs from its record by its SHA-256: ${key(changed)}`,
    `${nameOf(sealed, "sealed PDF")} differs from its record by its SHA-256: ${key(sealed)}`,
    `${nameOf(cut)} has 50 bytes instead of`,
    `company 1 counts ${company.documents + 1} documents and has ${company.documents}`,
    "company 1 counts 7 bytes of sealed PDFs, which have ",
    "has a status that can’t be: lost",
    "documents: 1 rows reference missing users by owner_id",
    "has a code that can’t be",
    // The same one, which has copies.
    "has a copy with another code",
    "company 1 has no active administrator",
  ];
  for (const fault of faults) expect(stdout).toContain(fault);
  expect(stdout).toContain("note: no record references documents/left over");
  expect(stdout).toContain(`Faults: ${faults.length}.`);
  expect(exitCode).toBe(1);
  rows.close();

  const file = freshFile();
  const backup = await runCommand(stores, "backup", file);
  expect([backup.exitCode, backup.stderr]).toEqual([1, expect.stringMatching(/is missing|was changed/)]);
  expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
});

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, verify --repair recounts what is derived, and says what it mended`, async ({ sampleOn }) => {
    const stores = await sampleOn(kind);
    const spoil = [
      "update companies set documents = documents + 1, stored_bytes = 7, sealed_bytes = 7",
      "update document_reach set documents = documents + 1",
      "update document_days set documents = documents + 1",
      "delete from scan_days",
      "delete from document_months",
      "delete from alert_reach",
    ];
    if (kind === "SQLite") {
      const rows = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
      rows.exec(spoil.join(";"));
      rows.close();
    } else for (const statement of spoil) await onServer(stores.DATABASE_URL!, statement);
    const found = await runCommand(stores, "verify");
    const faults = found.stdout.split("\n").filter((line) => line.startsWith("fault: "));
    expect(found.exitCode).toBe(1);
    expect(faults.length).toBeGreaterThanOrEqual(8);
    const repaired = await runCommand(stores, "verify", "--repair");
    const mended = repaired.stdout.split("\n").filter((line) => line.startsWith("mended: "));
    expect(mended).toEqual(faults.map((line) => line.replace("fault", "mended")));
    expect([repaired.exitCode, repaired.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
    expect((await runCommand(stores, "verify")).exitCode).toBe(0);
  });
}

test("migrate --check lists what migrate then does, and says by its exit code whether that is anything", async ({
  emptyOf,
}) => {
  const stores = await emptyOf("SQLite");
  await makeFirstVersion(stores);
  const [first, ...others] = Object.keys(migrations);
  const check = () => runCommand(stores, "migrate", "--check");
  const before = await check();
  expect([before.exitCode, before.stdout]).toEqual([3, expect.stringContaining(`provider: ${others.at(-1)}\n`)]);
  expect(before.stdout).not.toContain(`provider: ${first}\n`);
  const migrated = await runCommand(stores, "migrate");
  expect([migrated.exitCode, migrated.stdout]).toEqual([0, "The database is up to date.\n"]);
  expect(migrated.stderr).toMatch(
    new RegExp(`database migrated: {"tables":"provider","from":"${first}","to":"${others.at(-1)}","seconds":[\\d.]+}`),
  );
  expect(await check()).toMatchObject({ exitCode: 0, stdout: "The database is up to date.\n" });
});

test("a backup is readable by its owner only, overwrites no file, and includes incomplete drafts", async ({
  emptyOf,
  sampleStores,
  folder,
  freshFile,
}) => {
  const stores = await sampleStores();
  const server = await serve(stores);
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "A page of it is gone");
  const { buffer } = await picture("page.png");
  await addPages(client, draft, [new File([new Uint8Array(buffer)], "page.png")]);
  await server.stop();
  rmSync(join(stores.DATA_DIR, "files", "drafts"), { recursive: true });
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", file)).stderr).toContain("already exists");
  const target = await emptyOf("SQLite");
  expect((await runCommand(target, "restore", file)).stdout, "the draft does not name the page any more").toContain(
    "No fault.",
  );
  const rows = new Sqlite(join(target.DATA_DIR, "sealdesk.db"));
  expect(rows.prepare("select count(*) as n from drafts").get()).toEqual({ n: 1 });
  expect(rows.prepare("select count(*) as n from tokens where kind = 'session'").get()).toEqual({ n: 0 });
  rows.close();
  expect(readdirSync(folder).every((name) => !name.endsWith(".part"))).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  for (const { parentPath, name } of readdirSync(target.DATA_DIR, { recursive: true, withFileTypes: true })) {
    expect(statSync(join(parentPath, name)).mode & 0o077, name).toBe(0);
  }
});

test("seed refuses a second sample, and a missing database is reported in one line", async ({
  emptyOf,
  sampleStores,
}) => {
  const stores = await sampleStores();
  expect(await runCommand(stores, "seed")).toMatchObject({
    exitCode: 1,
    stderr: "There are documents already: nothing was added.\n",
  });
  const empty = await emptyOf("PostgreSQL");
  const nowhere = new URL(empty.DATABASE_URL!);
  nowhere.pathname = "/nowhere";
  const { exitCode, stderr } = await runCommand({ ...empty, DATABASE_URL: nowhere.href }, "verify");
  const { host, username } = nowhere;
  const sentence = `DATABASE_URL: ${host} refuses ${username} the database nowhere (database "nowhere" does not exist).\n`;
  expect([exitCode, stderr]).toEqual([1, sentence]);
});

test("a database of a newer version is neither backed up nor verified", async ({ sampleStores, freshFile }) => {
  const stores = await sampleStores();
  const rows = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
  rows.exec("insert into provider_migrations values ('999_of_tomorrow', '2030-01-01')");
  rows.close();
  for (const args of [["backup", freshFile()], ["verify"]]) {
    const { exitCode, stderr } = await runCommand(stores, ...args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("comes from a newer Sealdesk than this one")]);
  }
});
