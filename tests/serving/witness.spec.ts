import { rmSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand, startCommand, withSettings } from "../support/command.ts";
import { freePort } from "../support/postgres.ts";
import { until } from "../support/server.ts";
import { issued } from "../support/visitor.ts";

/** A witness in a process of its own, and a server whose owner rewrites its log. */

/** Waits for the job, which is due every minute, within the limit of checks. */
const shows = (page: () => Promise<string>, words: string) =>
  expect.poll(page, { timeout: 240_000, intervals: [2000] }).toContain(words);

test("a witness cosigns the log of a server, and refuses it once one row was edited", async ({
  sampleStores,
  folder,
}) => {
  const stores = await sampleStores();
  const here = join(folder, "witness");
  const ownKey = await runCommand({ DATA_DIR: "" }, "witness", "witness.example/second-site", here);
  expect(ownKey).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^witness\.example\/second-site\+\w{8}\+\S+\n$/),
  });

  // The first start begins the log.
  const first = await serve(stores);
  const logs = async () => (await (await fetch(`${first.url}/log`)).json()) as { key: string; address: string }[];
  await until(async () => (await logs()).length > 0, "the log");
  const { key } = (await logs())[0]!;
  await first.stop();

  const port = await freePort();
  const listen = ["--listen", `127.0.0.1:${port}`];
  const witness = startCommand({ DATA_DIR: "" }, "witness", "witness.example/second-site", here, key, ...listen);
  let output = "";
  for (const stream of [witness.stdout!, witness.stderr!])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  try {
    await until(() => output.includes("Listening"), "the witness");
    const witnessed = withSettings(stores, { WITNESSES: `${ownKey.stdout.trim()} http://127.0.0.1:${port}` });
    const server = await serve(witnessed);
    const page = async (code: string) => (await fetch(`${server.url}/v/${code}`)).text();
    const { code } = await issued(server.url);
    await shows(() => page(code), "seen by 1 third party");
    const proof = await fetch(`${server.url}/v/${code}/proof`);
    expect(proof.headers.get("content-disposition")).toContain(`${code}.tlog-proof`);
    const text = await proof.text();
    expect(text).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra \S+\nindex \d+\n/);
    expect(text.match(/^— \S+/gm)).toEqual([`— ${key.split("+")[0]}`, "— witness.example/second-site"]);
    await server.stop();
    const cosigned = output.length;

    // Its owner backdates a document, and removes whatever does not fit.
    const database = new Sqlite(join(stores.DATA_DIR, "sealdesk.db"));
    const edit = "update log_entries set entry = (select entry from log_entries where number = 0) where number = 2";
    expect(database.prepare(edit).run().changes).toBe(1);
    database.prepare("delete from log_checkpoints").run();
    database.close();
    rmSync(join(stores.DATA_DIR, "files/log"), { recursive: true });
    const edited = await serve(witnessed);
    await until(() => edited.errors().includes("a witness refused the log"), "the server’s event");
    const { code: later } = await issued(edited.url);
    const laterPage = async () => (await fetch(`${edited.url}/v/${later}`)).text();
    await shows(laterPage, "Entered in the log");
    expect(await laterPage()).not.toContain("seen by");
    await edited.stop();
    expect(output.slice(cosigned)).toContain('"status":409');
    expect(output.slice(cosigned)).not.toContain('"status":200');
  } finally {
    witness.kill();
  }
});
