import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import { until } from "../support/server.ts";
import { addPages, type FormClient, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { runCommand } from "../support/command.ts";
import { picture } from "../support/page-files.ts";
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** Sealed PDFs, whose names have their SHA-256. */
const sealedIn = (folder: string) => globSync("documents/*/sealed-*.pdf", { cwd: join(folder, "files") });

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
  test(`a backup made while users write restores from ${from} to ${to} with all that was acknowledged before`, async ({
    emptyOf,
    sampleStores,
    freshFile,
  }) => {
    const stores = await sampleStores();
    const target = await emptyOf(to);
    let source = stores;
    if (from === "PostgreSQL") {
      source = await emptyOf(from);
      const sample = freshFile();
      expect((await runCommand(stores, "backup", sample)).exitCode).toBe(0);
      expect((await runCommand(source, "restore", sample)).exitCode).toBe(0);
    }
    const sealed = sealedIn(source.DATA_DIR);
    expect(sealed).not.toEqual([]);
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
    const faultless = {
      exitCode: 0,
      stderr: expect.stringContaining("Restored "),
      stdout: expect.stringContaining("No fault."),
    };
    expect(restored).toEqual(faultless);
    expect(sealedIn(target.DATA_DIR)).toEqual(expect.arrayContaining(sealed));
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
