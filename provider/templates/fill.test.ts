import { access, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, onTestFinished, test } from "vitest";
import { openPageFiles } from "#lib/page-files/page-files.ts";
import { companyRequester } from "../files/requesters.ts";
import type { Services } from "../services.ts";
import { withFilledRows } from "./fill.ts";

test("Each row is filled in order by a process, a wrong one says why, and no file is left", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fill-"));
  const pageFiles = openPageFiles();
  onTestFinished(async () => {
    await pageFiles.close();
    await rm(folder, { recursive: true });
  });
  const document = await PDFDocument.create();
  document.getForm().createTextField("name").addToPage(document.addPage(), { x: 40, y: 200, width: 200, height: 24 });
  await writeFile(join(folder, "template"), await document.save());
  const files = {
    workPath: async (name: string) => join(folder, name),
    withLocalPaths: (keys: string[], use: (paths: string[]) => unknown) => use(keys.map((key) => join(folder, key))),
  } as unknown as Services["files"];
  const rows = [{ name: "Ada" }, { name: "漢" }, { name: "Zoë" }];
  const requester = companyRequester(1, "background");
  const paths = await withFilledRows({ files, pageFiles }, requester, { key: "template", rows }, async (filled) => {
    expect(filled.map((row) => "path" in row)).toEqual([true, false, true]);
    expect(filled[1]).toMatchObject({ problems: [{ column: "name" }] });
    const paths = filled.flatMap((row) => ("path" in row ? row.path : []));
    await copyFile(paths[0]!, join(folder, "kept"));
    return paths;
  });
  expect((await readFile(join(folder, "kept"))).subarray(0, 5).toString()).toBe("%PDF-");
  for (const path of paths) await expect(access(path)).rejects.toThrow("ENOENT");
});
