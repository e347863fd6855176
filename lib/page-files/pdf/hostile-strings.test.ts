import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, PDFHexString, PDFName, PDFString } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ContentTokens } from "../text/content-tokens.ts";
import { otherFileType } from "../other-file-types.ts";
import { signerName } from "./signer-name.ts";
import { readTemplateFile } from "../templates/template.ts";
import { columnsOf } from "../templates/template-fields.ts";
import { oneLine } from "../templates/template-values.ts";
import { inspect } from "../process/worker.ts";

/** Long strings of files, on which a pattern that tries again from each place would take minutes. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hostile-"));
});
afterAll(() => rm(folder, { recursive: true }));

const many = 300_000;
const spaces = " ".repeat(many);

describe("Long strings of files are read once", () => {
  test.each([
    ["digits", "1".repeat(many)],
    ["signs", "-".repeat(many)],
    ["digits and signs", "1-".repeat(many)],
  ])("a word of %s in a page's content", (_, word) => {
    expect([...new ContentTokens(Buffer.from(`${word}x Tj`)).operations()].at(-1)).toMatchObject({ operator: "Tj" });
  });

  test("columns, with spaces in and between braces", () => {
    expect(columnsOf(`{{${spaces}{{ name ${spaces}}}{{a${spaces}b}}{{${spaces}}}{{ two  words }}`)).toEqual([
      "name",
      "two  words",
    ]);
    expect(columnsOf("{{".repeat(many))).toEqual([]);
    expect(columnsOf(`{{${"x".repeat(100)}}}{{${"y".repeat(101)}}}`)).toEqual(["x".repeat(100)]);
  });

  test("values put on one line", () => {
    expect(oneLine(`a${spaces}\n\n ${spaces}b${spaces}c \n`)).toBe(`a b${spaces}c`);
  });

  test("a field's appearance, and its value", async () => {
    const document = await PDFDocument.create();
    const field = document.getForm().createTextField("name");
    field.addToPage(document.addPage([400, 300]));
    field.acroField.dict.set(PDFName.of("DA"), PDFString.of("1".repeat(many)));
    field.acroField.dict.set(PDFName.of("V"), PDFHexString.fromText(`{{${spaces}`));
    const path = join(folder, "template.pdf");
    await writeFile(path, await document.save({ updateFieldAppearances: false }));
    expect(await readTemplateFile(path, `${path}.read`)).toMatchObject({ columns: [{ name: "name" }] });
  });

  test("a signature in which a certificate seems to begin everywhere, on thousands of fields", async () => {
    const contents = Buffer.from("308203ff308203ffa003020102".repeat(25_000), "hex");
    expect(signerName(contents)).toBe(undefined);
    const document = await PDFDocument.create();
    document.addPage([400, 300]);
    const { context, catalog } = document;
    const shared = context.register(PDFHexString.of(contents.subarray(0, 150_000).toString("hex")));
    const fields = Array.from({ length: 5000 }, () =>
      context.register(context.obj({ FT: "Sig", V: context.register(context.obj({ Type: "Sig", Contents: shared })) })),
    );
    catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: fields }));
    const path = join(folder, "signed.pdf");
    await writeFile(path, await document.save());
    expect(await inspect({ path, image: `${path}.image` })).toMatchObject({
      notes: expect.arrayContaining(["has 5000 signatures, which the sealed PDF will not have"]),
    });
  });

  test.each(["<!--", "<?x>", "<?", "From:\n", "x-a:", "From a@b ", "{", "\n"])(
    "the beginning of a file of “%s”",
    (part) => {
      expect(otherFileType(part.repeat(1029), part.repeat(20_000))).not.toBe(0);
    },
  );
});
