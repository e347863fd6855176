import { expect, test } from "@playwright/test";
import { asFile, pngFile } from "../fixtures/files.ts";
import { draftForm } from "../fixtures/forms.ts";
import { bulkClient } from "../support/bulk-issues.ts";
import { runCommand, type Stores } from "../support/command.ts";
import { type CopiedStorage, copiedStorages } from "../support/copied-storage.ts";
import { signInClient } from "../support/form-client.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

/** Machines that are destroyed. `CRASH_ROUNDS=50 npx playwright test copies` destroys as many of each. */
const rounds = settings.crashRounds;
const mayBeLostMs = 10_000;
const mayTakeMs = 5 * 60_000;

const startOn = async ({ env }: CopiedStorage) => {
  const startedAt = Date.now();
  const settings = { ...env, METRICS_TOKEN: metricsToken, LOG_LEVEL: "error" };
  return { ...(await startServer({ on: env.DATA_DIR!, env: settings })), startedAt };
};

type StartedServer = TestServer & { startedAt: number };

const readiness = async ({ url }: TestServer) =>
  (await (await fetch(`${url}/readyz`)).json()) as { ready: boolean; degraded?: string[]; copy: string | null };

/** Whether a heartbeat of this server is in the copy; what is degraded is known from the second answer on. */
async function isCopied(server: StartedServer) {
  const { copy, degraded } = await readiness(server);
  return Date.parse(copy ?? "") > server.startedAt && !degraded?.includes("copy");
}

for (const [name, open] of Object.entries(copiedStorages)) {
  test(`a copier that stops without a word is noticed, and so is its return: ${name}`, async () => {
    test.setTimeout(15 * 60_000);
    const storage = await open();
    test.skip("missing" in storage, "missing" in storage ? storage.missing : "");
    if ("missing" in storage) return;
    const server = await startOn(storage);
    const copiedAt = async () =>
      (await metricsOf(server)).get('sealdesk_backup_last_success_timestamp_seconds{of="copy"}');
    try {
      await until(() => isCopied(server), "a heartbeat in the copy");
      expect(await copiedAt()).toBeGreaterThan(Date.now() / 1000 - 90);
      storage.freezeCopier();
      const frozenAt = Date.now();
      await until(async () => (await readiness(server)).degraded?.includes("copy") === true, "the alarm");
      const seconds = (Date.now() - frozenAt) / 1000;
      console.log(`${name}: noticed after ${seconds.toFixed(0)} s`);
      expect((await readiness(server)).ready).toBe(true);
      expect((await runCommand(storage.env as Stores, "backups")).stdout).toContain("too old: copy");
      expect(await copiedAt()).toBeLessThan(frozenAt / 1000 + 10);
      storage.wakeCopier();
      await until(() => isCopied(server), "a heartbeat in the copy again");
    } finally {
      await server.stop();
      await storage.end();
    }
  });

  test(`a destroyed machine comes back from the copy without what was issued seconds before: ${name}`, async () => {
    test.setTimeout((rounds + 1) * 10 * 60_000);
    const storage = await open();
    test.skip("missing" in storage, "missing" in storage ? storage.missing : "");
    if ("missing" in storage) return;
    try {
      await destroyAgainAndAgain(name, storage);
    } finally {
      await storage.end();
    }
  });
}

test("SQLite goes back to a point in time by Litestream", async () => {
  const storage = await copiedStorages["SQLite by Litestream"]();
  test.skip("missing" in storage, "missing" in storage ? storage.missing : "");
  if ("missing" in storage) return;
  const addUser = async (server: StartedServer, name: string) => {
    const user = { name, email: `${name.toLowerCase()}@hallam.example`, staff: "Accountant" };
    const client = await signInClient(server.url);
    expect((await client.post("/users/new", user)).status).toBe(302);
    server.startedAt = Date.now();
    await until(() => isCopied(server), "the user in the copy");
  };
  try {
    const server = await startOn(storage);
    await addUser(server, "Edda");
    const moment = new Date();
    // Litestream names its segments by the second.
    await until(() => Date.now() > moment.getTime() + 2000);
    await addUser(server, "Lara");
    await server.stop();
    storage.destroy();
    await storage.restore(moment);
    const users = "select name from users where name in ('Edda', 'Lara')";
    expect(await storage.values(users)).toEqual(["Edda"]);
    const stores = storage.env as Stores;
    expect((await runCommand(stores, "after-restore")).exitCode).toBe(0);
    expect((await runCommand(stores, "verify")).stdout).toContain("No fault.");
    const again = await startOn(storage);
    await addUser(again, "Lara");
    await again.stop();
  } finally {
    await storage.end();
  }
});

async function destroyAgainAndAgain(name: string, storage: CopiedStorage) {
  const page = asFile(await pngFile(), "page.png");
  const [lost, took]: [number[], number[]] = [[], []];
  let [issued, server] = [0, await startOn(storage)];
  for (let round = 1; round <= rounds; round++) {
    const client = await bulkClient(server.url);
    const acknowledged: { number: string; at: number }[] = [];
    const issue = async () => {
      try {
        for (;;) {
          const { number } = await client.post("/documents/storeDocument", draftForm({ email: signIn.email }, [page]));
          acknowledged.push({ number, at: Date.now() });
        }
      } catch (error) {
        // The end of the server ends it.
        if (!(error instanceof TypeError)) throw error;
      }
    };
    const issuing = Promise.all([issue(), issue()]);
    await until(() => acknowledged.length > 10 + ((round * 37) % 60), "documents");
    await until(() => isCopied(server), "a copy");
    server.process.kill("SIGKILL");
    const destroyedAt = Date.now();
    storage.destroy();
    await issuing;
    await server.stop().catch(() => {});

    await storage.restore();
    server = await startOn(storage);
    await until(async () => (await readiness(server)).ready, "the other machine");
    took.push(Date.now() - destroyedAt);
    const stored = new Set(await storage.values("select number from documents"));
    const missing = acknowledged.filter(({ number }) => !stored.has(number));
    issued += acknowledged.length;
    lost.push(missing.length === 0 ? 0 : destroyedAt - Math.min(...missing.map(({ at }) => at)));
    expect(Math.max(...lost), "milliseconds before the end from which documents are lost").toBeLessThanOrEqual(
      mayBeLostMs,
    );
    expect(Math.max(...took), "milliseconds until all works again").toBeLessThanOrEqual(mayTakeMs);
  }
  await server.stop();
  const verified = await runCommand(storage.env as Stores, "verify");
  expect(verified).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("No fault."), stderr: "" });
  const seconds = (values: number[]) => (Math.max(...values) / 1000).toFixed(1);
  console.log(
    `${name}: ${rounds} machines, ${issued} documents; at most ${seconds(lost)} s lost, restored in at most ${seconds(took)} s`,
  );
}
