import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { addPages, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

test.describe.configure({ mode: "parallel" });

const canMount = userInfo().uid === 0 && existsSync("/bin/mount") && mounts();

/** Whether this machine lets us mount a small disk. */
function mounts() {
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("on a full disk reading works, writing says so and loses nothing typed, until there is room", async () => {
  test.skip(!canMount, "this machine does not let the test mount a small disk");
  const disk = mkdtempSync(join(tmpdir(), "sealdesk-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]);
  cpSync(sampleData, disk, { recursive: true });
  const server = await startServer({ on: disk, env: { LOG_LEVEL: "warn", DISK_RESERVE_MB: "0" } });
  const reader = keepLog(disk);
  try {
    const client = await signInClient(server.url);
    const draft = await startDraft(client, "Begun while there was room");
    const page = asUpload(await picture("page.png"));
    await addPages(client, draft, [page]);
    const filler = join(disk, "filler");
    for (const size of [1_000_000, 10_000, 1000]) fill(filler, size);

    for (const path of ["/dashboard", "/documents/list", "/documents/1", `${draft}/fields`]) {
      expect((await client.get(path)).status, path).toBe(200);
    }
    const message = "There is no disk space left to save this.";
    const pageText = await (await client.get(`${draft}/fields`)).text();
    const version = /name="version" value="(\d+)"/.exec(pageText)![1]!;
    const typed = { name: "Typed on a full disk ".repeat(9), version, intent: "next" };
    const fields = await client.post(`${draft}/fields`, typed);
    const answer = await fields.text();
    expect(answer.includes(message), "the fields say that there is no room").toBe(true);
    expect(answer.includes(typed.name.trim()), "what was typed is there").toBe(true);
    const form = new FormData();
    form.set("files", page);
    const pages = await (await client.post(`${draft}/pages`, form)).text();
    expect(pages.includes(message), "the pages say that there is no room").toBe(true);
    const issued = await client.post(`${draft}/review`, {});
    expect(issued.status).toBeGreaterThanOrEqual(500);
    expect((await issued.text()).includes(message), "Create says that there is no room").toBe(true);
    const stored = () => globSync(join(disk, "files/{work/*,documents/*/sealed-*}"));
    const before = stored();
    const sealed = () => client.get("/files/documents/1/sealed.pdf");
    expect((await sealed()).status).toBe(503);
    expect(stored(), "nothing is half sealed").toEqual(before);

    expect(server.errors()).toContain("storage failure: no space");
    expect(server.errors(), "a full disk is an expected refusal").not.toContain('"level":50');

    rmSync(filler);
    expect((await sealed()).status).toBe(200);
    expect((await client.post(`${draft}/review`, {})).headers.get("location")).toMatch(/^\/documents\/\d+$/);
  } finally {
    reader.close();
    await server.stop();
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  }
});

/** Reads on as a backup does, so that SQLite's log cannot begin anew in the room that it has: each change needs more of the disk. */
function keepLog(directory: string) {
  const reader = new Sqlite(join(directory, "sealdesk.db"));
  reader.pragma("wal_checkpoint(truncate)");
  reader.exec("begin");
  reader.prepare("select id from companies").all();
  return reader;
}

/** Writes until nothing more fits, in pieces of `size` bytes. */
function fill(path: string, size: number) {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
  } catch {
    // Full, as it should be.
  }
}
