import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import { emptyStores, runCommand, type Stores } from "./command.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { sampleData } from "./sample.ts";
import { startServer } from "./server.ts";

type Kind = "SQLite" | "PostgreSQL";

type Fixtures = {
  emptyOf(kind: Kind): Promise<Stores>;
  /** On SQLite, with the sample company. */
  sampleStores(): Promise<Stores>;
  /** With the sample company; on PostgreSQL restored from a backup, which has no private keys. */
  sampleOn(kind: Kind): Promise<Stores>;
  /** An empty folder for backups. */
  folder: string;
  /** Returns the path for another backup. */
  freshFile(extension?: string): string;
};

/** With stores that are removed after each test. */
export const test = base.extend<Fixtures, { postgres: TestPostgres | { missing: string } }>({
  postgres: [
    async ({}, use) => {
      const postgres = await startPostgres();
      await use(postgres);
      if (!("missing" in postgres)) postgres.stop();
    },
    { scope: "worker" },
  ],
  async emptyOf({ postgres }, use) {
    const createdStores: Stores[] = [];
    await use(async (kind) => {
      if (kind === "PostgreSQL") test.skip("missing" in postgres, "missing" in postgres ? postgres.missing : "");
      createdStores.push(await emptyStores(kind === "PostgreSQL" && "url" in postgres ? postgres.url : undefined));
      return createdStores.at(-1)!;
    });
    for (const { DATA_DIR } of createdStores) rmSync(DATA_DIR, { recursive: true });
  },
  async sampleStores({ emptyOf }, use) {
    await use(async () => {
      const stores = await emptyOf("SQLite");
      cpSync(sampleData, stores.DATA_DIR, { recursive: true });
      return stores;
    });
  },
  async sampleOn({ emptyOf, sampleStores, freshFile }, use) {
    await use(async (kind) => {
      const sample = await sampleStores();
      if (kind === "SQLite") return sample;
      const file = freshFile();
      await runCommand(sample, "backup", file);
      const stores = await emptyOf(kind);
      expect((await runCommand(stores, "restore", file)).exitCode).toBe(0);
      return stores;
    });
  },
  async folder({}, use) {
    const folder = mkdtempSync(join(tmpdir(), "sealdesk-backups-"));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  freshFile: ({ folder }, use) => use((extension = ".tar") => join(folder, crypto.randomUUID() + extension)),
});

/** Starts a server on stores, which stay when it is stopped. */
export const serve = (stores: Stores) => startServer({ on: stores.DATA_DIR, env: stores });

export { expect };
