import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { invoice, pdfOf } from "../fixtures/altered-pdfs.ts";
import { asFile } from "../fixtures/files.ts";
import { expect, serve, test } from "../support/backups.ts";
import { runCommand } from "../support/command.ts";
import { addPages, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";

test("an operator checks a file on a terminal, beside the server", async ({ sampleStores, folder }) => {
  const stores = await sampleStores();
  const server = await serve(stores);
  const stored = (name: string, content: Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const check = (...args: string[]) => runCommand(stores, "check", ...args);
  try {
    const client = await signInClient(server.url);
    const pages = invoice(5);
    const source = await pdfOf(pages);
    const draft = await startDraft(client, "Invoice on a terminal");
    await addPages(client, draft, [asFile(source, "invoice.pdf")]);
    const path = await create(client, draft);
    const code = await codeOf(client, path);
    const sealed = new Uint8Array(await (await client.get(`/files${path}/sealed.pdf`)).arrayBuffer());

    const same = await check(stored("sealed.pdf", sealed));
    expect([same.exitCode, same.stdout]).toEqual([0, expect.stringMatching(/of Hallam & Reid Ltd: same file\n$/)]);
    const pageFile = await check(stored("page.pdf", source));
    expect([pageFile.exitCode, pageFile.stdout]).toEqual([0, expect.stringContaining("page file 1")]);

    const altered = pages.map((lines, n) => lines.map((line) => (n === 1 ? line.replace("2026", "2027") : line)));
    const other = stored("altered.pdf", await pdfOf(altered));
    const unknown = await check(other);
    expect([unknown.exitCode, unknown.stdout]).toEqual([1, expect.stringContaining("No document has this file")]);
    const changed = await check(other, "--code", code.toLowerCase());
    expect([changed.exitCode, changed.stdout]).toEqual([1, expect.stringContaining("page 2 changed")]);

    const letter = await check(stored("letter.pdf", Buffer.from("Dear Sir or Madam")), "--code", code);
    expect([letter.exitCode, letter.stderr]).toEqual([1, expect.stringContaining("This file is not a PDF.")]);
    const mistyped = await check(other, "--code", "12345");
    expect([mistyped.exitCode, mistyped.stderr]).toEqual([2, expect.stringContaining("--code is mistyped")]);
  } finally {
    await server.stop();
  }
});
