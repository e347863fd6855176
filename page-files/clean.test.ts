import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compose, type Stamp } from "./compose.ts";
import { expectClean, seen, takeApart } from "./testing-contents.ts";
import { type Body, everyKind, handWritten, places } from "./testing-pdf.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-clean-"));
});
afterAll(() => rm(directory, { recursive: true }));

let made = 0;

/** The paths of a PDF and of what is made of it for others. */
async function cleaned(pdf: Uint8Array, stamp?: Stamp) {
  const name = join(directory, String(++made));
  const [from, to] = [`${name}.pdf`, `${name}.clean.pdf`];
  await writeFile(from, pdf);
  await compose([{ path: from, type: "application/pdf" }], to, stamp);
  return { from, to };
}

/** Expects that nothing hidden arrives and that every page looks, measures and reads as before. */
async function expectSameButClean(pdf: Uint8Array) {
  const { from, to } = await cleaned(pdf);
  const parts = await expectClean(to);
  const [before, after] = [await seen(from), await seen(to)];
  expect(after.map(({ pixels: _, ...page }) => page)).toEqual(before.map(({ pixels: _, ...page }) => page));
  expect(after.map(({ pixels }, n) => pixels.equals(before[n]!.pixels))).toEqual(before.map(() => true));
  return parts;
}

const script = "<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\) MARK-OF-SCRIPT) /Next 205 0 R >>";
/** Things that nobody sees on a page: scripts, files, a film, texts, and what leads back into the pages. */
const hidden: Record<number, Body> = {
  200: script,
  201: "<< /Type /Filespec /F (MARK-OF-FILE.exe) /EF << /F 202 0 R >> >>",
  202: { dict: "/Type /EmbeddedFile /Subtype /MARK-OF-TYPE", data: "MARK-OF-CONTENT" },
  203: { dict: "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /OPI 200 0 R", data: "% MARK-OF-FORM" },
  204: `[(MARK-OF-TEXT) /MARK-OF-NAME <4d41524b> 200 0 R 201 0 R [202 0 R << /MARK-OF-KEY 203 0 R /A 200 0 R >>] 204 0 R 3 0 R]`,
  205: `<< /S /Launch /F 201 0 R /Next [200 0 R 205 0 R] /AA << /O 200 0 R >> /All 204 0 R >>`,
};

/** Keys that may hide something, of which none has a place where the tests put it. */
const hidingKeys =
  `AA OpenAction Names AcroForm Dests Outlines Threads PieceInfo Metadata AF MarkInfo StructTreeRoot Lang
  SpiderInfo Legal Requirements Collection Perms Extensions PageLabels ViewerPreferences Dur Trans Thumb PresSteps VP B
  StructParents StructParent Tabs ID SeparationInfo TemplateInstantiated DPart OutputIntents Popup IRT RT ExData MK Dest PA
  Parent URI NM T Subj RC CreationDate FS Sound Movie RichMediaContent RichMediaSettings 3DD 3DV Vertices3D OPI Ref
  Alternates PS LastModified Measure PtData FFilter FDecodeParms HT Solidities CharSet Panose Style FD CIDSet Lang2
  JavaScript Launch EmbeddedFiles MarkStyle Unknown MARK-OF-OWN-KEY JavaScr#69pt #41A`.split(/\s+/);

describe("what hangs beside the pages stays behind", () => {
  test("when there is nothing of the kind, the pages look and read the same", async () => {
    const parts = await expectSameButClean(await everyKind());
    expect(parts.text).toContain("https://kept.example/page");
  });

  test.each(places)("at a dictionary of the kind: %s", async (place) => {
    // A stream by any name is a glyph, if not one of this font's texts.
    const objects = place === "glyphs" ? [200, 201, 204, 205] : [200, 201, 202, 203, 204, 205];
    const entries = hidingKeys.map((key, n) => `/${key} ${objects[n % objects.length]} 0 R`);
    await expectSameButClean(await everyKind({ [place]: entries.join("\n") }, hidden));
  });

  test.each(places)("written directly at a dictionary of the kind: %s", async (place) => {
    const entries = hidingKeys.map((key) => `/${key} [(MARK) ${script} << /EF << /F 202 0 R >> /MARK /MARK >>]`);
    await expectSameButClean(await everyKind({ [place]: entries.join("\n") }, hidden));
  });
});
