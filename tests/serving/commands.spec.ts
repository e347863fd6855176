import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { addPages, type FormClient, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import {
  emptyStores,
  resultOf,
  makeFirstVersion,
  forgeBackup,
  type Stores,
  runCommand,
  startCommand,
} from "../support/command.ts";
import { picture } from "../support/page-files.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";

/** What the one who runs Sealdesk does from the command line, beside the server and without it. */

type Kind = "SQLite" | "PostgreSQL";

const test = base.extend<{ emptyOf(kind: Kind): Promise<Stores> }, { postgres: TestPostgres | { missing: string } }>({
  postgres: [
    async ({}, use) => {
      const postgres = await startPostgres();
      await use(postgres);
      if (!("missing" in postgres)) postgres.stop();
    },
    { scope: "worker" },
  ],
  async emptyOf({ postgres }, use) {
    const made: Stores[] = [];
    await use(async (kind) => {
      if (kind === "PostgreSQL") test.skip("missing" in postgres, "missing" in postgres ? postgres.missing : "");
      made.push(await emptyStores(kind === "PostgreSQL" && "url" in postgres ? postgres.url : undefined));
      return made.at(-1)!;
    });
    for (const { DATA_DIR } of made) rmSync(DATA_DIR, { recursive: true });
  },
});

const folder = mkdtempSync(join(tmpdir(), "sealdesk-backups-"));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A name for a backup that nobody has used. */
const freshFile = (ending = ".tar") => join(folder, crypto.randomUUID() + ending);

/** Returns stores with SQLite that hold the sample company. */
async function sampleStores(emptyOf: (kind: Kind) => Promise<Stores>) {
  const stores = await emptyOf("SQLite");
  cpSync(sampleData, stores.DATA_DIR, { recursive: true });
  return stores;
}

const serve = (stores: Stores) => startServer({ on: stores.DATA_DIR, env: stores });
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

test("prints usage and explains wrong arguments", async () => {
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
  test(`on ${kind}, a company is made beside the server, and its administrator comes in by the link`, async ({
    emptyOf,
  }) => {
    const stores = await emptyOf(kind);
    const server = await serve(stores);
    try {
      const who = ["--name", "New & Sons", "--admin-name", "Nora New", "--email", "nora@new.example"];
      const here = { ...stores, PUBLIC_URL: server.url };
      const made = await runCommand(here, "create-company", ...who);
      expect([made.exitCode, made.stdout]).toEqual([0, expect.stringMatching(/^http\S+\/signup\?token=\S+\n$/)]);
      const link = made.stdout.trim();
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

type Written = { documents: Map<string, string>; drafts: Map<string, string> };

/** Issues documents and begins drafts one after the other, until `isOver`. */
async function write(client: FormClient, who: string, written: Written, isOver: () => boolean) {
  for (let n = 1; !isOver(); n++) {
    const name = `${who}, draft ${n}`;
    const draft = await startDraft(client, name);
    const { buffer } = await picture("page.png", `#${(n % 16).toString(16).repeat(3)}`);
    await addPages(client, draft, [new File([new Uint8Array(buffer)], "page.png")]);
    if (n % 3 === 0) written.drafts.set(draft, name);
    else written.documents.set(await create(client, draft), sha256(buffer));
  }
}

for (const [from, to] of [
  ["SQLite", "SQLite"],
  ["SQLite", "PostgreSQL"],
  ["PostgreSQL", "SQLite"],
] as const) {
  test(`what clerks had written is there after a drill from ${from} to ${to}, backed up while they wrote on`, async ({
    emptyOf,
  }) => {
    const stores = await sampleStores(emptyOf);
    const target = await emptyOf(to);
    let source = stores;
    if (from === "PostgreSQL") {
      source = await emptyOf(from);
      const sample = freshFile();
      expect((await runCommand(stores, "backup", sample)).exitCode).toBe(0);
      expect((await runCommand(source, "restore", sample)).exitCode).toBe(0);
    }
    const written: Written = { documents: new Map(), drafts: new Map() };
    const file = freshFile(".tar.gz");
    const server = await serve(source);
    let before: Written;
    try {
      const client = await signInClient(server.url);
      let isOver = false;
      const writers = ["A", "B", "C"].map((who) => write(client, who, written, () => isOver));
      await until(() => written.documents.size >= 4 && written.drafts.size >= 1, "something to be written");
      before = { documents: new Map(written.documents), drafts: new Map(written.drafts) };
      const { exitCode, stderr } = await runCommand(source, "backup", file);
      isOver = true;
      await Promise.all(writers);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Backed up ")]);
      expect(written.documents.size, "documents were issued meanwhile").toBeGreaterThan(before.documents.size);
    } finally {
      await server.stop();
    }

    const restored = await runCommand(target, "restore", file);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
    const again = await serve(target);
    try {
      const { token } = await signInOverHttp(again.url);
      const headers = { authorization: `Bearer ${token}` };
      const stored = new Set(
        globSync(join(target.DATA_DIR, "files/documents/*/*"))
          .filter((path) => /\/\d+$/.test(path))
          .map((path) => sha256(readFileSync(path))),
      );
      for (const [path, hash] of before.documents) {
        const { files } = (await (await fetch(`${again.url}/api${path}`, { headers })).json()) as any;
        expect(files.pages.map((page: { sha256: string }) => page.sha256)).toEqual([hash]);
        expect(stored.has(hash), `${path} has its file`).toBe(true);
        const page = await fetch(`${again.url}/api${path}/pages/1`, { headers });
        expect([page.status, page.headers.get("content-type")]).toEqual([200, "image/png"]);
      }
      const client = await signInClient(again.url);
      for (const [path, name] of before.drafts) {
        expect(await (await client.get(`${path}/fields`)).text()).toContain(`value="${name}"`);
        const location = await create(client, path);
        expect(before.documents.has(location), "no number is given twice").toBe(false);
      }
    } finally {
      await again.stop();
    }
  });
}

test("restore refuses a database or store that is not empty", async ({ emptyOf }) => {
  const [stores, half] = [await sampleStores(emptyOf), await emptyOf("SQLite")];
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const onRows = await runCommand(stores, "restore", file);
  expect([onRows.exitCode, onRows.stderr]).toEqual([1, expect.stringContaining("The database is not empty")]);
  expect((await runCommand(stores, "verify")).exitCode).toBe(0);
  cpSync(join(stores.DATA_DIR, "files"), join(half.DATA_DIR, "files"), { recursive: true });
  const onFiles = await runCommand(half, "restore", file);
  expect([onFiles.exitCode, onFiles.stderr]).toEqual([1, expect.stringContaining("There are files in the store")]);
  rmSync(join(half.DATA_DIR, "files"), { recursive: true });
  expect((await runCommand(half, "restore", file)).exitCode, "emptied, it takes the backup").toBe(0);
  const server = await serve(stores);
  const beside = await runCommand(stores, "restore", file);
  await server.stop();
  expect([beside.exitCode, beside.stderr]).toEqual([1, expect.stringContaining("Another Sealdesk process")]);
});

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${kind}, a backup that is cut off or changed is refused, and leaves nothing behind`, async ({ emptyOf }) => {
    const [stores, target] = [await sampleStores(emptyOf), await emptyOf(kind)];
    const [file, bad] = [freshFile(), freshFile()];
    expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
    const right = readFileSync(file);
    const pdf = right.indexOf("%PDF-");
    const row = right.indexOf("Hallam");
    const replaced = (at: number, text: string) =>
      Buffer.concat([right.subarray(0, at), Buffer.from(text), right.subarray(at + text.length)]);
    for (const [wrong, reason] of [
      [right.subarray(0, pdf + 1000), "Unexpected end of data"],
      [right.subarray(0, right.lastIndexOf("end.json")), "its end is missing"],
      [replaced(pdf + 20, "?"), "does not match its checksums"],
      [replaced(row, "M"), "does not match its checksums"],
      [Buffer.from("no backup at all"), "can’t be read as a backup"],
    ] as const) {
      writeFileSync(bad, wrong);
      const fromFile = await runCommand(target, "restore", bad);
      expect([fromFile.exitCode, fromFile.stderr]).toEqual([1, expect.stringContaining(reason)]);
      // From a pipe it is found out while it is loaded.
      const piped = startCommand(target, "restore", "-");
      piped.stdin!.on("error", () => {}).end(wrong);
      expect((await resultOf(piped)).exitCode).toBe(1);
      expect(globSync(join(target.DATA_DIR, "files", "*"))).toEqual([]);
    }
    expect((await runCommand(target, "verify", bad)).exitCode).toBe(1);
    for (const command of ["verify", "restore"]) {
      const { exitCode, stderr } = await runCommand(target, command, folder);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^EISDIR: .*\n$/)]);
    }
    expect((await runCommand(target, "verify", file)).stdout).toBe("The backup is complete and unchanged.\n");
    const piped = startCommand(target, "restore", "-");
    piped.stdin!.end(right);
    expect((await resultOf(piped)).stdout).toContain("No fault.");
  });

  test(`on ${kind}, a restore that is interrupted leaves nothing behind`, async ({ emptyOf }) => {
    const [stores, target] = [await sampleStores(emptyOf), await emptyOf(kind)];
    const file = freshFile();
    expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
    const stored = () => globSync(join(target.DATA_DIR, "files/documents/*/*")).length;
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGKILL", null],
    ] as const) {
      const restoring = startCommand(target, "restore", "-");
      restoring.stdin!.write(readFileSync(file).subarray(0, -20_000));
      const end = resultOf(restoring);
      await until(() => stored() > 0, "the first file to be restored");
      restoring.kill(signal);
      expect((await end).exitCode).toBe(exitCode);
      if (signal === "SIGINT") expect(stored()).toBe(0);
    }
    // What was killed can't tidy up: its files are left, its rows are not.
    expect((await runCommand(target, "restore", file)).stderr).toContain("There are files in the store");
    rmSync(join(target.DATA_DIR, "files"), { recursive: true });
    expect((await runCommand(target, "restore", file)).exitCode).toBe(0);
  });
}

test("verify names what is missing, changed or miscounted, and a backup of it is not kept", async ({ emptyOf }) => {
  const stores = await sampleStores(emptyOf);
  const [missing, changed, cut] = globSync(join(stores.DATA_DIR, "files/documents/*/1")) as [string, string, string];
  const key = (path: string) => path.slice(path.indexOf("documents/"));
  const rows = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
  const nameOf = (path: string) => {
    const { id, number } = rows
      .prepare("select id, number from documents where folder = ?")
      .get(key(path).slice(0, -2)) as { id: number; number: string };
    return `document ${id} (${number}), page file 1`;
  };
  rmSync(missing);
  const content = readFileSync(changed);
  content[100]! ^= 1;
  writeFileSync(changed, content);
  writeFileSync(cut, readFileSync(cut).subarray(0, 50));
  writeFileSync(join(stores.DATA_DIR, "files/documents/left over"), "");
  rows.exec(`pragma foreign_keys = off; update companies set documents = documents + 1;
    update documents set status = 'lost' where id = 3; update documents set owner_id = 999 where id = 4;
    update documents set code = '0' || substr(code, 2, 15) || '00' where id = 5;
    update users set active = 0`);
  const { exitCode, stdout } = await runCommand(stores, "verify");
  const faults = [
    `${nameOf(missing)} is missing: ${key(missing)}`,
    `${nameOf(changed)} differs from the upload by its SHA-256: ${key(changed)}`,
    `${nameOf(cut)} has 50 bytes instead of`,
    "company 1 counts 9 documents and has 8",
    "has a status that can’t be: lost",
    "documents: 1 rows reference missing users by owner_id",
    "has a code that can’t be",
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

test("a backup is for its owner's eyes, takes no other’s place, and holds what was left of drafts", async ({
  emptyOf,
}) => {
  const stores = await sampleStores(emptyOf);
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

test("a sample is made once, and a database that is not there is reported in one line", async ({ emptyOf }) => {
  const stores = await sampleStores(emptyOf);
  expect(await runCommand(stores, "seed")).toMatchObject({
    exitCode: 1,
    stderr: "There are documents already: nothing was added.\n",
  });
  const empty = await emptyOf("PostgreSQL");
  const nowhere = new URL(empty.DATABASE_URL!);
  nowhere.pathname = "/nowhere";
  const { exitCode, stderr } = await runCommand({ ...empty, DATABASE_URL: nowhere.href }, "verify");
  expect([exitCode, stderr]).toEqual([1, 'database "nowhere" does not exist\n']);
});

test("tables of a newer Sealdesk are neither backed up nor verified", async ({ emptyOf }) => {
  const stores = await sampleStores(emptyOf);
  const rows = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
  rows.exec("insert into provider_migrations values ('999_of_tomorrow', '2030-01-01')");
  rows.close();
  for (const args of [["backup", freshFile()], ["verify"]]) {
    const { exitCode, stderr } = await runCommand(stores, ...args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("comes from a newer Sealdesk than this one")]);
  }
});

test("a backup of an older Sealdesk is brought to this one's form", async ({ emptyOf }) => {
  const [stores, target] = [await emptyOf("SQLite"), await emptyOf("PostgreSQL")];
  await makeFirstVersion(stores);
  const file = freshFile();
  expect((await runCommand(stores, "backup", file)).exitCode).toBe(0);
  const restored = await runCommand(target, "restore", file);
  expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
  const server = await serve(target);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.stop();
});

test("a backup of a newer Sealdesk, or one that would write outside of the store, is refused", async ({ emptyOf }) => {
  const stores = await emptyOf("SQLite");
  const file = freshFile();
  for (const [steps, entries, reason] of [
    [
      { provider: ["001_first_tables", "999_of_tomorrow"] },
      {},
      "comes from a newer Sealdesk than this one: provider, 999",
    ],
    [{ cellar: ["001_wine"] }, {}, "comes from a newer Sealdesk than this one: cellar"],
    [{ provider: ["001_first_tables"] }, { "files/../../escaped": "x" }, "an invalid name"],
    [{ provider: ["001_first_tables"] }, { "files/documents/..": "x" }, "an invalid name"],
    [{ provider: ["001_first_tables"] }, { "rows/secrets/1.ndjson": "[1]" }, "a table that its manifest does not list"],
  ] as const) {
    await forgeBackup(file, steps as unknown as Record<string, string[]>, entries);
    const { exitCode, stderr } = await runCommand(stores, "restore", file);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(existsSync(join(stores.DATA_DIR, "..", "escaped"))).toBe(false);
});
