import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, suite, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import published from "./test-vectors.json" with { type: "json" };

/** Runs the commands of docs/verifying.md as they stand there. */

const manual = readFileSync(join(import.meta.dirname, "..", "..", "docs/verifying.md"), "utf8");
const directory = mkdtempSync(join(tmpdir(), "sealdesk-manual-"));
afterAll(() => rmSync(directory, { recursive: true }));

const saved = { ...published.key, kid: published.thumbprint, status_list: "https://sealdesk.example/list" };
writeFileSync(join(directory, "jwks.json"), JSON.stringify({ keys: [saved] }));

const block = (pattern: RegExp) => pattern.exec(manual)![0].replace(/^ {4}/gm, "");
const python = block(/^ {4}python3 - ADDRESS[^]*?signature\.der message$/m);
writeFileSync(join(directory, "verify.ts"), block(/^ {4}import \{ readFileSync \}[^]*?toString\("hex"\)\);$/m));

const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: directory });
const byPython = (url: string) => run("sh", "-ec", python.replace("ADDRESS", url));
const byTypeScript = (url: string) => run(process.execPath, "verify.ts", url);

/** The same digits behind another document's address. */
const elsewhere = (url: string) => url.replace("/4C7", "/4C8");

const forms = published.vectors.flatMap(({ name, url, longUrl, payload }) => [
  { name, url, payload },
  { name: `${name}, as version 1.0 wrote it`, url: longUrl, payload },
]);

suite.each(forms)("The published message: $name", ({ url, payload }) => {
  test.skipIf(without("python3") || without("openssl"))("is verified by Python and OpenSSL alone", async () => {
    const { stdout } = await byPython(url);
    for (const output of [saved.kid, saved.status_list, payload, "Verified OK"]) expect(stdout).toContain(output);
    await expect(byPython(elsewhere(url))).rejects.toMatchObject({ stdout: expect.stringContaining("failure") });
  });

  test("is verified by the TypeScript", async () => {
    expect((await byTypeScript(url)).stdout).toMatch(`true ${saved.kid} ${saved.status_list}`);
    expect((await byTypeScript(elsewhere(url))).stdout).toMatch(/^false/);
  });
});
