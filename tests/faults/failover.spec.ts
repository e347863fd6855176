import pg from "pg";
import { expect, test } from "@playwright/test";
import { type FormClient, codeOf, create, addPages, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startPostgresPair } from "../support/postgres-pair.ts";
import { secondsInMs } from "#lib/units.ts";
import { secrets } from "../support/command.ts";
import { startServer, until } from "../support/server.ts";

/** Every request has an answer within this time, also one that is sent as the database's machine is lost. */
const patience = secondsInMs(30);

for (const how of ["killed", "frozen"] as const) {
  test(`when the database's machine is ${how}, its standby goes on with all that was acknowledged`, async () => {
    const pair = await startPostgresPair();
    test.skip("missing" in pair, "needs PostgreSQL, Patroni, etcd and HAProxy on this machine");
    if ("missing" in pair) return;
    await pair.inSync();
    const server = await startServer({
      seeded: true,
      env: { DATABASE_URL: pair.url, ...secrets, LOG_LEVEL: "silent" },
    });
    const client = await signInClient(server.url);
    const code = await codeOf(client, "/documents/1");
    const work = startWork(client, code);
    await until(async () => work.issued.length >= 3 && work.scans() >= 20, "some work to be done");
    await pair.inSync();

    const before = { primary: await pair.primary(), issued: work.issued.length };
    const { wake } = await pair.lose(how);
    const lostAt = performance.now();
    await until(async () => (await attempt(() => client.get("/documents/list")))?.status === 503, "lists to end");
    await until(async () => (await attempt(() => client.get("/documents/list")))?.status === 200, "lists to be back");
    const back = performance.now() - lostAt;
    await until(async () => work.issued.length >= before.issued + 3, "documents to be issued again");
    expect(await pair.primary()).not.toBe(before.primary);
    // Until the old primary knows that it is none, it still answers with what it had.
    await wake();
    await work.end();

    console.log(`Lists were back after ${(back / 1000).toFixed(1)} s; the longest answer took ${work.slowest()} s`);
    expect(work.unanswered()).toBe(0);
    for (const path of work.issued) expect((await client.get(path)).status, path).toBe(200);
    expect(await storedScans(pair.url)).toBeGreaterThanOrEqual(work.scans());
    expect(server.process.exitCode).toBeNull();
    await server.stop();
    await pair.stop();
  });
}

/** What stays undefined has no answer in time. */
const attempt = async <T>(send: () => Promise<T>) => send().catch(() => undefined);

/** Issues documents and scans one, again and again. Counts what was acknowledged. */
function startWork(client: FormClient, code: string) {
  const [issued, times]: [string[], number[]] = [[], []];
  const over = new AbortController();
  let [scans, unanswered] = [0, 0];
  async function answered(path: string) {
    const startedAt = performance.now();
    const answer = await fetch(client.url + path, { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
    times.push(performance.now() - startedAt);
    if (!answer) unanswered++;
    return answer;
  }
  const scanning = async () => {
    while (!over.signal.aborted) if ((await answered(`/v/${code}`))?.status === 200) scans++;
  };
  const issuing = async () => {
    const page = asUpload(await picture("page.png"));
    for (let n = 1; !over.signal.aborted; n++) {
      const path = await attempt(async () => {
        const draft = await startDraft(client, `In the failover ${n}`);
        await addPages(client, draft, [page]);
        return create(client, draft);
      });
      if (path) issued.push(path);
    }
  };
  const all = [scanning(), scanning(), issuing()];
  return {
    issued,
    scans: () => scans,
    unanswered: () => unanswered,
    slowest: () => (Math.max(...times) / 1000).toFixed(1),
    async end() {
      over.abort();
      await Promise.all(all);
    },
  };
}

async function storedScans(url: string): Promise<number> {
  const database = new pg.Client(url);
  await database.connect();
  const { rows } = await database.query<{ count: string }>("select count(*) from scans");
  await database.end();
  return Number(rows[0]!.count);
}
