import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { addPages, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";

/** A machine whose clock is wrong by a day, and is then put right. */

test.describe.configure({ mode: "parallel" });

const clock = pathToFileURL(join(import.meta.dirname, "..", "support/shifted-clock.ts")).href;
const shifted = (hours: number) => ({ NODE_OPTIONS: `--import ${clock}`, CLOCK_HOURS: String(hours) });

const hasSwept = (data: string) =>
  inDatabase({ data }, (db) => db.prepare("select 1 from jobs where name = 'drafts' and outcome = 'done'").get()) !==
  undefined;

for (const [what, hours] of [
  ["ahead", 25],
  ["behind", -25],
] as const) {
  test(`data survives a clock that was a day ${what}`, async () => {
    const data = mkdtempSync(join(tmpdir(), "sealdesk-clock-"));
    cpSync(sampleData, data, { recursive: true });
    const page = asUpload(await picture("page.png"));
    const wrong = await startServer({ on: data, env: shifted(hours) });
    // By this clock alone, files are a day older than they are, and the first run removes what has been abandoned.
    await until(() => hasSwept(data), "the worker's first look for abandoned files");
    const early = await signInClient(wrong.url);
    const issued = await startDraft(early, "Issued on another day");
    await addPages(early, issued, [page]);
    const document = await create(early, issued);
    const code = await codeOf(early, document);
    const draft = await startDraft(early, "Begun on another day");
    await addPages(early, draft, [page]);
    await wrong.stop();

    const server = await startServer({ on: data });
    const client = await signInClient(server.url);
    expect((await client.get(document)).status).toBe(200);
    expect((await client.anonymous.get(`/v/${code}`)).status).toBe(200);
    expect(await create(client, draft)).toMatch(/^\/documents\/\d+$/);
    for (const path of ["/dashboard", "/documents/list", "/alerts", "/map", "/audit"]) {
      expect((await client.get(path)).status, path).toBe(200);
    }
    // Whoever had signed in by the wrong clock is signed in, or is asked to sign in again.
    expect([200, 302]).toContain(
      (await fetch(`${server.url}/dashboard`, { headers: { cookie: early.cookie }, redirect: "manual" })).status,
    );
    await client.anonymous.post("/forgot", { email: signIn.email });
    await until(() => existsSync(join(data, "outbox")), "jobs to run although they ran by the wrong clock");
    await server.stop();
    rmSync(data, { recursive: true });
  });
}
