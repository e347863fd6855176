import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Body, handWritten } from "#tests/fixtures/pdf.ts";
import file from "./form-sans.json" with { type: "json" };
import { PdfReader } from "../pdf/pdf-reader.ts";
import { withPdf } from "../pdf/pdf.ts";
import { bytesByPdfium } from "../pdf/pdfium-copy.ts";
import { namesOfUncontained, usesOfPages } from "./uncontained-fonts.ts";

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), "sealdesk-fonts-"))));
afterAll(() => rm(directory, { recursive: true }));

const sound = inflateSync(Buffer.from(file.deflated, "base64"));
const named = (name: string, more = "") => `<< /Type /Font /Subtype /TrueType /BaseFont /${name} ${more} >>`;
const show = (font: string) => `BT /${font} 12 Tf (ABC) Tj ET`;
const form = (content: string, resources: string): Body => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${resources}`,
  data: content,
});

/** A PDF of one page. */
const pageOf = (content: Body | string[], resources: string, objects: Record<number, Body> = {}, page = "") => {
  const contents = Array.isArray(content) ? content : [content];
  return handWritten({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << ${resources} >>
      /Contents [${contents.map((_, n) => `${40 + n} 0 R`).join(" ")}] ${page} >>`,
    ...Object.fromEntries(contents.map((data, n) => [40 + n, typeof data === "string" ? { dict: "", data } : data])),
    ...objects,
  });
};

async function fontsIn(pdf: Buffer) {
  const path = join(directory, "from.pdf");
  await writeFile(path, pdf);
  return withPdf(path, async (opened) =>
    usesOfPages(new PdfReader(bytesByPdfium(opened)), 100).map((use) => use && namesOfUncontained(use)),
  );
}

const arial = { 10: named("ArialMT") };
const descriptor = (key: string) => `/FontDescriptor << /Type /FontDescriptor /FontName /Own /Flags 4 ${key} >>`;
const contained = (program: Uint8Array, key = "/FontFile2 11 0 R") => ({
  10: named("Own", descriptor(key)),
  11: { dict: `/Length1 ${program.length}`, data: program },
});

const uncontained: Record<string, [string[], Buffer]> = {
  "a page's text": [["ArialMT"], pageOf(show("F1"), "/Font << /F1 10 0 R >>", arial)],
  "a standard font": [["Helvetica"], pageOf(show("F1"), "/Font << /F1 10 0 R >>", { 10: named("Helvetica") })],
  "a subset that has no program": [
    ["ArialMT"],
    pageOf(show("F1"), "/Font << /F1 10 0 R >>", { 10: named("ABCDEF+ArialMT", descriptor("")) }),
  ],
  "a composite font of an external character map": [
    ["HeiseiKakuGo-W5"],
    pageOf(show("F1"), "/Font << /F1 10 0 R >>", {
      10: `<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UCS2-H /DescendantFonts [
        << /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 ${descriptor("")}
        /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >>`,
    }),
  ],
  "a form": [
    ["ArialMT"],
    pageOf("/X1 Do", "/XObject << /X1 20 0 R >>", {
      ...arial,
      20: form(show("F1"), "/Resources << /Font << /F1 10 0 R >> >>"),
    }),
  ],
  "a form without resources of its own, within another": [
    ["ArialMT"],
    pageOf("/X1 Do", "/XObject << /X1 20 0 R >> /Font << /F1 10 0 R >>", {
      ...arial,
      20: form("/X2 Do", "/Resources << /XObject << /X2 21 0 R >> >>"),
      21: form(show("F1"), ""),
    }),
  ],
  "a form that contains itself": [
    ["ArialMT"],
    pageOf("/X1 Do", "/XObject << /X1 20 0 R >>", {
      ...arial,
      20: form(`/X1 Do ${show("F1")}`, "/Resources << /XObject << /X1 20 0 R >> /Font << /F1 10 0 R >> >>"),
    }),
  ],
  "a pattern": [
    ["ArialMT"],
    pageOf("/Pattern cs /P1 scn 0 0 50 50 re f", "/Pattern << /P1 20 0 R >>", {
      ...arial,
      20: {
        dict: `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9
          /Resources << /Font << /F1 10 0 R >> >>`,
        data: show("F1"),
      },
    }),
  ],
  "a glyph that is drawn with text": [
    ["ArialMT"],
    pageOf(show("F1"), "/Font << /F1 12 0 R >>", {
      ...arial,
      12: `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /A 20 0 R >>
        /Encoding << /Differences [65 /A] >> /FirstChar 65 /LastChar 65 /Widths [1]
        /Resources << /Font << /F2 10 0 R >> >> >>`,
      20: { dict: "", data: `1 0 d0 ${show("F2")}` },
    }),
  ],
  "a graphics state": [
    ["ArialMT"],
    pageOf("/G1 gs BT (ABC) Tj ET", "/ExtGState << /G1 << /Font [10 0 R 12] >> >>", arial),
  ],
  "a mask": [
    ["ArialMT"],
    pageOf("/G1 gs 0 0 9 9 re f", "/ExtGState << /G1 << /SMask << /S /Alpha /G 20 0 R >> >> >>", {
      ...arial,
      20: form(show("F1"), "/Resources << /Font << /F1 10 0 R >> >>"),
    }),
  ],
  "an annotation's state that is not shown": [
    ["ArialMT"],
    pageOf(
      "",
      "",
      { ...arial, 20: form(show("F1"), "/Resources << /Font << /F1 10 0 R >> >>"), 21: form("", "") },
      "/Annots [<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 21 0 R /R << /On 20 0 R >> >> >>]",
    ),
  ],
  "a name with escapes": [["ArialMT"], pageOf(show("F#31"), "/Font << /F1 10 0 R >>", arial)],
  "a name that two streams have together": [
    ["ArialMT"],
    pageOf(["BT /F", "1 12 Tf (ABC) Tj ET"], "/Font << /F 10 0 R >>", arial),
  ],
  "a content behind the bytes of a picture": [
    ["ArialMT"],
    pageOf(`BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ${show("F1")}`, "/Font << /F1 10 0 R >>", arial),
  ],
  "a name that no resources have": [["F9"], pageOf(show("F9"), "")],
  "a content that can't be read": [
    ["ArialMT"],
    pageOf({ dict: "/Filter [/FlateDecode /FlateDecode /FlateDecode]", data: "x" }, "/Font << /F1 10 0 R >>", arial),
  ],
  "a program that is cut short": [
    ["Own"],
    pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(sound.subarray(0, 20_000))),
  ],
  "a program that is none": [["Own"], pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(Buffer.alloc(500, "x")))],
  "an empty program": [["Own"], pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(Buffer.alloc(0)))],
  "a compact program with nothing after its header": [
    ["Own"],
    pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(Buffer.of(1, 0, 4, 1), "/FontFile3 11 0 R")),
  ],
  "two programs, from which viewers choose differently": [
    ["Own"],
    pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(sound, "/FontFile2 11 0 R /FontFile 11 0 R")),
  ],
};

test.each(Object.entries(uncontained))(
  "a font that the file does not contain is named: %s",
  async (_, [names, pdf]) => {
    expect(await fontsIn(pdf)).toEqual([names]);
  },
);

const innocent: Record<string, Buffer> = {
  "a font whose program is in the file": pageOf(show("F1"), "/Font << /F1 10 0 R >>", contained(sound)),
  "a font that no content names": pageOf("0 0 9 9 re f", "/Font << /F1 10 0 R >>", arial),
  "a form that is not drawn": pageOf("0 0 9 9 re f", "/XObject << /X1 20 0 R >>", {
    ...arial,
    20: form(show("F1"), "/Resources << /Font << /F1 10 0 R >> >>"),
  }),
};

test.each(Object.entries(innocent))("nothing is said of %s", async (_, pdf) => {
  expect(await fontsIn(pdf)).toEqual([[]]);
});

test("tests each page by itself, with the resources it inherits", async () => {
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${contents} 0 R >>`;
  const pdf = handWritten({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3
      /Resources << /Font << /F1 10 0 R /F2 12 0 R >> /XObject << /X1 20 0 R >> >> >>`,
    3: page(40),
    4: page(41),
    5: page(42),
    10: named("ArialMT"),
    12: named("SimSun"),
    20: form(show("F2"), ""),
    40: { dict: "", data: "0 0 9 9 re f" },
    41: { dict: "", data: show("F1") },
    42: { dict: "", data: `${show("F1")} /X1 Do` },
  });
  expect(await fontsIn(pdf)).toEqual([[], ["ArialMT"], ["ArialMT", "SimSun"]]);
});

test("a hostile name is said without what does not print, and cut", async () => {
  const name = `A#E2#80#AE#0A#00${"b".repeat(500)}`;
  const [[note]] = (await fontsIn(pageOf(show("F1"), "/Font << /F1 10 0 R >>", { 10: named(name) }))) as [[string]];
  expect(note).toBe(`A${"b".repeat(59)}`);
});

test("forms that draw each other many times over are each read once for a page", async () => {
  const levels = 60;
  const objects: Record<number, Body> = { ...arial };
  for (let n = 0; n < levels; n++)
    objects[100 + n] = form(
      "/A Do /B Do",
      `/Resources << /XObject << /A ${101 + n} 0 R /B ${101 + n} 0 R >> /Font << /F1 10 0 R >> >>`,
    );
  objects[100 + levels] = form(show("F1"), "/Resources << /Font << /F1 10 0 R >> >>");
  expect(await fontsIn(pageOf("/A Do", "/XObject << /A 100 0 R >>", objects))).toEqual([["ArialMT"]]);
});
