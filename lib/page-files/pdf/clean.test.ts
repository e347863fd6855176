import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyPages } from "./clean.ts";
import { compose } from "../seal/compose.ts";
import { copyByPdfium } from "./pdfium-copy.ts";
import { PdfTooLarge } from "./pdf-copier.ts";
import { expectClean, knownKeys, renderedPages, takeApart } from "#tests/fixtures/pdf-contents.ts";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { type Body, everyKind, handWritten, places, updated } from "#tests/fixtures/pdf.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-clean-"));
});
afterAll(() => rm(directory, { recursive: true }));

let fileCount = 0;

/** Where a PDF is, and what is made of it for others. */
async function cleaned(...pdfs: Uint8Array[]) {
  const name = join(directory, String(++fileCount));
  const from = pdfs.map((_, n) => `${name}.${n}.pdf`);
  for (const [n, pdf] of pdfs.entries()) await writeFile(from[n]!, pdf);
  const to = `${name}.clean.pdf`;
  await compose(
    from.map((path) => ({ path, type: "application/pdf" })),
    to,
  );
  return { from, to };
}

/** Expects that nothing hidden arrives and that every page looks, measures and reads as before. */
async function expectSameButClean(...pdfs: Uint8Array[]) {
  const { from, to } = await cleaned(...pdfs);
  const parts = await expectClean(to);
  const before = (await Promise.all(from.map((path) => renderedPages(path)))).flat();
  const after = await renderedPages(to);
  expect(after.map(({ pixels: _, ...page }) => page)).toEqual(before.map(({ pixels: _, ...page }) => page));
  expect(after.map(({ pixels }, n) => pixels.equals(before[n]!.pixels))).toEqual(before.map(() => true));
  return parts;
}

const script = "<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\) MARK-OF-SCRIPT) /Next 205 0 R >>";
/** Objects that are not visible on a page: scripts, files, texts, and references back to the page. */
const hidden: Record<number, Body> = {
  200: script,
  201: "<< /Type /Filespec /F (MARK-OF-FILE.exe) /EF << /F 202 0 R >> >>",
  202: { dict: "/Type /EmbeddedFile /Subtype /MARK-OF-TYPE", data: "MARK-OF-CONTENT" },
  203: { dict: "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /OPI 200 0 R", data: "% MARK-OF-FORM" },
  204: `[(MARK-OF-TEXT) /MARK-OF-NAME <4d41524b> 200 0 R 201 0 R [202 0 R << /MARK-OF-KEY 203 0 R /A 200 0 R >>] 204 0 R 3 0 R]`,
  205: `<< /S /Launch /F 201 0 R /Next [200 0 R 205 0 R] /AA << /O 200 0 R >> /All 204 0 R >>`,
};

/** Keys that can carry hidden objects; none is allowed where the tests put it. */
const hidingKeys =
  `AA OpenAction Names AcroForm Dests Outlines Threads PieceInfo Metadata AF MarkInfo StructTreeRoot Lang
  SpiderInfo Legal Requirements Collection Perms Extensions PageLabels ViewerPreferences Dur Trans Thumb PresSteps VP B
  StructParents StructParent Tabs ID SeparationInfo TemplateInstantiated DPart OutputIntents Popup IRT RT ExData MK Dest PA
  Parent URI NM T Subj RC CreationDate FS Sound Movie RichMediaContent RichMediaSettings 3DD 3DV Vertices3D OPI Ref
  Alternates PS LastModified Measure PtData FFilter FDecodeParms HT Solidities CharSet Panose Style FD CIDSet Lang2
  JavaScript Launch EmbeddedFiles MarkStyle Unknown MARK-OF-OWN-KEY JavaScr#69pt #41A`.split(/\s+/);

/** Keys without a place in a cleaned PDF. */
const key = fc
  .oneof(fc.constantFrom(...hidingKeys), fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,10}$/))
  .filter((name) => !knownKeys.includes(name));

describe("content beside the pages is removed", () => {
  test("a file without any looks and reads the same", async () => {
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

  test("of any kind and in any place", async () => {
    const junk = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("200 0 R", "201 0 R", "202 0 R", "203 0 R", "204 0 R", "205 0 R"),
        fc.constantFrom("(MARK)", "/MARK", "<4d41524b>", "7", "true", "null", "/JavaScript"),
        fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" ")}]`),
        tie("dictionary"),
      ),
      dictionary: fc.array(tie("entry"), { maxLength: 4 }).map((entries) => `<< ${entries.join(" ")} >>`),
      entry: fc.tuple(key, tie("value")).map(([name, value]) => `/${name} ${String(value)}`),
    }));
    const entries = fc.array(junk.entry as fc.Arbitrary<string>, { minLength: 1, maxLength: 8 });
    const at = fc.constantFrom(...places.filter((place) => place !== "glyphs"));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          at,
          entries.map((all) => all.join("\n")),
          { minKeys: 1, maxKeys: 8 },
        ),
        async (more) => {
          await expectSameButClean(await everyKind(more, hidden));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("also under a known key of the wrong type", async () => {
    const entry = fc.tuple(fc.constantFrom(...knownKeys), fc.constantFrom("200", "201", "204", "205"));
    const entries = fc.array(entry, { minLength: 1, maxLength: 12 });
    const text = entries.map((all) => all.map(([name, number]) => `/${name} ${number} 0 R`).join("\n"));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...places), text, { minKeys: 1, maxKeys: 10 }), async (more) => {
        const result = await cleaned(await everyKind(more, hidden)).catch((error: Error) => error);
        // Such a file is refused when it is uploaded.
        if (result instanceof Error) expect(result.message).toBe("Page 1 has no size");
        else await expectClean(result.to);
      }),
      { numRuns: 30, examples: [[{ page: "/Kids 204 0 R\n/Size 200 0 R" }]] },
    );
  });
});

test.skipIf(without("pdftoppm"))("words outside of the part that a page shows are read by no program", async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([400, 300]);
  page.drawText("Inside", { x: 120, y: 150 });
  page.drawText("Outside", { x: 5, y: 5 });
  page.setCropBox(100, 100, 200, 100);
  const { to } = await cleaned(await pdf.save());
  const { stdout } = await promisify(execFile)("pdftotext", [to, "-"]);
  expect(stdout.trim()).toBe("Inside");
});

describe("a link", () => {
  const linked = async (address: string) => {
    const { to } = await cleaned(await everyKind({}, { 50: link(`/S /URI /URI ${address}`) }));
    return addressIn((await expectClean(to)).text);
  };
  const link = (action: string) => `<< /Type /Annot /Subtype /Link /Rect [20 355 140 380] /A << ${action} >> >>`;
  const addressIn = (text: string) => /\/URI \((.*)\)\n/.exec(text)?.[1];

  test.each([
    ["(https://web.example/a?b=c#d)", "https://web.example/a?b=c#d"],
    ["(http://web.example)", "http://web.example/"],
    ["(HTTPS://WEB.example/Path)", "https://web.example/Path"],
    ["(mailto:office@web.example)", "mailto:office@web.example"],
    ["(https://web.example/a\\(b\\)c\\\\d)", "https://web.example/a\\(b\\)c/d"],
    ["<68747470733a2f2f7765622e6578616d706c652f>", "https://web.example/"],
    ["(\\150ttps://web.example/)", "https://web.example/"],
  ])("to %s opens %s", async (written, opened) => {
    expect(await linked(written)).toBe(opened);
  });

  test.each([
    "(javascript:alert\\(1\\))",
    "(JaVaScRiPt:alert)",
    "(java\\tscript:alert)",
    "( \\001javascript:alert)",
    "<006a006100760061>",
    "<FEFF006A006100760061007300630072006900700074003A0078>",
    "(file:///C:/Windows/calc.exe)",
    "(data:text/html,x)",
    "(vbscript:x)",
    "(smb://server/share)",
    "(\\\\\\\\server\\\\share)",
    "(//web.example/)",
    "(/path)",
    "(www.web.example)",
    "(http:)",
    "()",
    "/Name",
    "[(https://web.example)]",
    "205 0 R",
  ])("to %s opens nothing", async (written) => {
    expect(await linked(written)).toBeUndefined();
  });

  test.each([
    "/S /JavaScript /JS (MARK)",
    "/S /Launch /F (MARK.exe)",
    "/S /GoToR /F (MARK.pdf) /D [0 /Fit]",
    "/S /SubmitForm /F (https://MARK.example)",
    "/S /Named /N /Print",
    "/S /Rendition /JS (MARK)",
  ])("with the action %s does nothing", async (action) => {
    await expectSameButClean(await everyKind({}, { 50: link(action) }));
  });

  test("keeps its address without IsMap and further actions", async () => {
    const action = "/S /URI /URI (https://web.example/) /IsMap true /Next << /S /JavaScript /JS (MARK) >>";
    const { text } = await expectSameButClean(await everyKind({}, { 50: link(action) }));
    expect(addressIn(text)).toBe("https://web.example/");
  });
});

describe("an annotation", () => {
  const widget = "/Type /Annot /Subtype /Widget /FT /Tx /T (MARK-OF-FIELD) /Rect [300 300 390 340] /F 4";
  const form =
    "/AcroForm << /Fields [52 0 R] /NeedAppearances true /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 10 0 R >> >> >>";

  test.each(["Widget", "FileAttachment", "Screen", "Movie", "Sound", "3D", "RichMedia", "Redact", "Unknown"])(
    "of the kind %s is seen as before and does nothing",
    async (subtype) => {
      const carries = `/FT /Sig /T (MARK) /V 204 0 R /FS 201 0 R /A 200 0 R /AA << /D 200 0 R >> /Movie 201 0 R /3DD 202 0 R`;
      const annotation = `/Type /Annot /Subtype /${subtype} /Rect [300 300 340 340] /F 4 /AP << /N 54 0 R /D 203 0 R >> ${carries}`;
      await expectSameButClean(await everyKind({}, { 52: `<< ${annotation} >>`, ...hidden }));
    },
  );

  test.each([2, 32, 34, 36])("with the flags %i, which a screen doesn't show, stays behind", async (flags) => {
    const annotation = `/Type /Annot /Subtype /Square /Rect [9 9 99 99] /F ${flags} /Contents (MARK) /AP << /N 203 0 R >>`;
    await expectSameButClean(await everyKind({}, { 51: `<< ${annotation} >>`, ...hidden }));
  });

  test.each([
    ["FreeText", "/DA (/Helv 11 Tf 0 g) /C [1 1 1] /Contents (MARK)"],
    ["Line", "/L [9 9 99 99] /BS << /W 12 >>"],
  ])(
    "of the kind %s without an appearance, which other programs would draw, stays behind",
    async (subtype, entries) => {
      const annotation = `<< /Type /Annot /Subtype /${subtype} /Rect [9 9 99 99] /F 4 ${entries} >>`;
      const { text } = await expectSameButClean(await everyKind({}, { 51: annotation }));
      expect(text).not.toContain(`/${subtype}`);
    },
  );

  test("that a screen shows is printed as well, and a link has no border", async () => {
    const square = "<< /Type /Annot /Subtype /Square /Rect [9 9 60 60] /F 256 /AP << /N 54 0 R >> >>";
    const link = "<< /Type /Annot /Subtype /Link /Rect [9 9 60 60] /C [1 0 0] /Border [0 0 30] >>";
    const { text } = await expectSameButClean(await everyKind({}, { 51: square, 52: link }));
    const annotations = text.match(/ obj\n<<(?:(?!endobj)[^])*\/Type \/Annot[^]*?endobj/g)!;
    expect(annotations.filter((one) => !/\/F (4|196)\b/.test(one))).toEqual([]);
    expect(text).toContain("/Border [ 0 0 0 ]");
  });

  test("that only opens beside the page is removed", async () => {
    const popup = "/Type /Annot /Subtype /Popup /Rect [9 9 99 99] /Open true /Contents (MARK) /Parent 51 0 R";
    await expectSameButClean(await everyKind({}, { 52: `<< ${popup} >>` }));
  });

  test("of a form shows its current value", async () => {
    const old = { dict: "/Subtype /Form /BBox [0 0 90 40]", data: "1 0 0 rg 0 0 90 40 re f" };
    await expectSameButClean(
      await everyKind(
        { catalog: form },
        { 52: `<< ${widget} /V (New value) /DA (/Helv 12 Tf 0 g) /AP << /N 54 0 R >> >>`, 54: old },
      ),
    );
  });

  test("of a form gets a missing appearance", async () => {
    const field = `<< ${widget} /V (New value) /DA (/Helv 12 Tf 0 g) >>`;
    const { to } = await cleaned(await everyKind({ catalog: form }, { 52: field }));
    const parts = await expectClean(to);
    const empty = join(directory, "empty.pdf");
    await writeFile(empty, await everyKind({ catalog: form }, { 52: "null" }));
    const [with_, without] = [await renderedPages(to), await renderedPages(empty)];
    expect(with_[0]!.pixels.equals(without[0]!.pixels)).toBe(false);
    expect(parts.text).toContain("New value");
  });
});

describe("layers", () => {
  const configured = (config: string) => everyKind({}, { 40: `<< /OCGs [41 0 R 42 0 R] /D << ${config} >> >>` });

  test.each([
    "/OFF [42 0 R]",
    "/OFF [41 0 R 42 0 R]",
    "/BaseState /OFF",
    "/BaseState /OFF /ON [41 0 R]",
    "/BaseState /OFF /ON [41 0 R 42 0 R]",
    "",
  ])("are seen as before where the file says %s", async (config) => {
    await expectSameButClean(await configured(config));
  });

  test("keep their visibility by usage", async () => {
    const [content, hides] = ["<< /View << /ViewState /ON >> >>", "<< /View << /ViewState /OFF >> >>"];
    const [first, second] = [
      `<< /Type /OCG /Name (A) /Usage ${hides} >>`,
      `<< /Type /OCG /Name (B) /Usage ${content} >>`,
    ];
    const usage = "/AS [<< /Event /View /OCGs [41 0 R 42 0 R] /Category [/View] >>]";
    const config = `<< /OCGs [41 0 R 42 0 R] /D << /OFF [42 0 R] ${usage} >> >>`;
    await expectSameButClean(await everyKind({}, { 40: config, 41: first, 42: second }));
  });

  test("show on paper what they show on a screen", async () => {
    const onPaper =
      "<< /Type /OCG /Name (A) /Usage << /Print << /PrintState /ON >> /Export << /ExportState /ON >> >> >>";
    const usage = "/AS [<< /Event /Print /OCGs [41 0 R] /Category [/Print] >>]";
    const config = `<< /OCGs [41 0 R 42 0 R] /D << /OFF [41 0 R] ${usage} >> >>`;
    const { text } = await expectSameButClean(await everyKind({}, { 40: config, 41: onPaper }));
    for (const key of ["/Usage", "/PrintState", "/Event"]) expect(text).not.toContain(key);
  });

  test("keep their visibility without a type", async () => {
    await expectSameButClean(await everyKind({}, { 42: "<< /Name (Hidden) >>" }));
  });

  test("keep their visibility in membership dictionaries", async () => {
    const membership = "<< /Type /OCMD /VE [/Or [/Not 41 0 R] [/And 42 0 R [/Not [/Not 41 0 R]]]] >>";
    await expectSameButClean(await everyKind({}, { 43: membership }));
  });

  test("of several files keep their visibility, and can't be switched on", async () => {
    const files = [await configured("/OFF [42 0 R]"), await configured("/BaseState /OFF"), await configured("")];
    const { text } = await expectSameButClean(...files);
    expect(text).toMatch(/\/Locked \[( \d+ 0 R){6} \]/);
    expect(text).not.toMatch(/\/Order\b/);
    expect(text).not.toContain("(Hidden)");
  });
});

describe("an unusual file", () => {
  const everywhere = Object.fromEntries(
    places.filter((place) => place !== "glyphs").map((place) => [place, "/Unknown 204 0 R"]),
  );

  test("with object streams is cleaned like any other", async () => {
    const pdf = await PDFDocument.load(await everyKind(everywhere, hidden));
    await expectSameButClean(await pdf.save({ useObjectStreams: true }));
  });

  test("with incremental updates yields the newest version alone", async () => {
    const old = await everyKind({}, { 6: { dict: "", data: "% MARK\n1 0 0 rg 0 0 400 400 re f" } });
    await expectSameButClean(updated(old, { 6: { dict: "", data: "0 0 1 rg 20 260 360 20 re f" } }));
  });

  test("with objects missing from its cross-reference table is copied as viewed", async () => {
    const other = "6 0 obj\n<< /Length 35 >>\nstream\n% MARK 1 0 0 rg 0 0 400 400 re f\n\nendstream\nendobj\n";
    await expectSameButClean(Buffer.concat([await everyKind(), Buffer.from(other)]));
  });

  test("with a hybrid cross-reference stream is copied as viewed", async () => {
    const annotation = "<< /Type /Annot /Subtype /Square /Rect [9 9 60 60] /AP << /N 53 0 R >> /AA << /O 200 0 R >> >>";
    const packed = { dict: "/Type /ObjStm /N 1 /First 5", data: `60 0 ${annotation}` };
    const page = "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Annots [60 0 R] >>";
    await expectSameButClean(hybrid(await everyKind({}, { 3: page, ...hidden }), 60, packed));
  });

  test("with external streams yields no file names", async () => {
    const elsewhere = "/F 201 0 R /FFilter /FlateDecode /FDecodeParms 204 0 R";
    const streams = [
      "contents",
      "image",
      "imageMask",
      "form",
      "tiling",
      "iccProfile",
      "fontProgram",
      "toUnicode",
      "appearance",
    ];
    await expectSameButClean(await everyKind(Object.fromEntries(streams.map((place) => [place, elsewhere])), hidden));
  });

  test("with a wrong page count shows the viewed pages", async () => {
    const { from, to } = await cleaned(onePage({ 2: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 1 >>", 4: blank }));
    expect(await renderedPages(from[0]!)).toHaveLength(1);
    expect(await renderedPages(to)).toHaveLength(1);
    await expectClean(to);
  });

  test("with a cross-reference table of a billion objects allocates nothing for them", async () => {
    const list = { dict: "/Type /XRef /Size 1000000000 /W [1 2 1] /Root 1 0 R", data: "" };
    await expectSameButClean(
      onePage({ 3: pageWith("/Contents 4 0 R"), 4: { dict: "", data: "9 9 99 99 re f" }, 5: list }),
    );
  });

  test("that is encrypted without a password is cleaned like any other", async () => {
    const pdf = await PDFDocument.load(await everyKind(everywhere, hidden));
    pdf.encrypt({ userPassword: "", ownerPassword: "MARK" });
    await expectSameButClean(await pdf.save());
  });

  test.each([
    ["a form that draws itself", { 5: form("/X Do", "/Resources << /XObject << /X 5 0 R >> >>") }],
    ["a node of pages below itself", { 2: "<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 1 >>" }],
    ["an object that refers to itself", { 4: "4 0 R" }],
    ["objects that refer to each other", { 4: "6 0 R", 6: "4 0 R" }],
    [
      "a pattern of itself",
      { 7: "<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace [/Pattern 7 0 R] >> /ExtGState 7 0 R >>" },
    ],
    ["a colour space of itself", { 8: "[/Indexed 8 0 R 1 (MARK)]" }],
    ["a function of itself", { 9: "<< /FunctionType 3 /Functions [9 0 R] >>" }],
  ])("with %s comes to an end", async (_, objects) => {
    const resources = `/Resources << /XObject << /X 5 0 R >> /Pattern << /P 7 0 R >> /ColorSpace << /C 8 0 R /S [/Separation /S /DeviceRGB 9 0 R] >> >>`;
    const { to } = await cleaned(onePage({ 3: pageWith(`/Contents 4 0 R ${resources}`), ...objects }));
    expect(await renderedPages(to)).toHaveLength(1);
  });

  // Far beyond what a stack holds.
  const deep = 50_000;

  test("with deeply nested forms does not overflow the stack", async () => {
    const forms = Array.from({ length: 10_000 }, (_, n) =>
      form("/X Do", `/Resources << /XObject << /X ${n + 11} 0 R >> >>`),
    );
    const page = pageWith("/Resources << /XObject << /X 10 0 R >> >>");
    const { to } = await cleaned(onePage({ 3: page, ...Object.fromEntries(forms.map((body, n) => [n + 10, body])) }));
    expect((await takeApart(await readFile(to))).objects).toBeGreaterThan(10_000);
  });

  test.each([
    ["arrays", "/Border [".repeat(1) + "[".repeat(deep) + "]".repeat(deep) + "]"],
    ["dictionaries", "<< /X ".repeat(deep).replace(/^<< /, "") + "1" + " >>".repeat(deep - 1)],
    ["functions", `/BS ${"<< /FunctionType 3 /Functions [".repeat(deep)}${"] >>".repeat(deep)}`],
  ])("with %s in each other does not overflow", async (_, entry) => {
    const annotation = `<< /Type /Annot /Subtype /Square /Rect [9 9 60 60] ${entry} >>`;
    const { to } = await cleaned(onePage({ 3: pageWith("/Annots [4 0 R]"), 4: annotation }));
    expect(await renderedPages(to)).toHaveLength(1);
  });

  test("with exponentially many pages is rejected", async () => {
    const nodes = Array.from({ length: 30 }, (_, n) => [
      n + 10,
      `<< /Type /Pages /Kids [${n + 11} 0 R ${n + 11} 0 R] /Count 2 >>`,
    ]);
    const objects = { 2: "<< /Type /Pages /Kids [10 0 R] /Count 1 >>", ...Object.fromEntries(nodes), 40: blank };
    const { to } = await cleaned(onePage(objects));
    expect(await renderedPages(to)).toHaveLength(1);
  });

  test("that uses one stream in many ways does not grow", async () => {
    const data = Buffer.alloc(300_000, "0 0 m ");
    const kinds = [
      "/Subtype /Form /BBox [0 0 9 9]",
      "/Subtype /Image /Width 9 /Height 9",
      "/PatternType 1",
      "/ShadingType 4",
      "/FunctionType 0",
    ];
    const resources = `/XObject << /A 5 0 R /B 6 0 R >> /Pattern << /P 5 0 R >> /Shading << /S 5 0 R >>
      /ColorSpace << /I [/ICCBased 5 0 R] /S [/Separation /S /DeviceRGB 5 0 R] /X [/Indexed /DeviceRGB 1 5 0 R] >>
      /Font << /F << /Subtype /Type1 /FontDescriptor << /FontFile 5 0 R >> >> /M << /Subtype /Type0 /Encoding 5 0 R >> >>`;
    const page = pageWith(`/Contents 5 0 R /Resources << ${resources} >>`);
    const pdf = onePage({
      3: page,
      5: { dict: kinds.join(" "), data: randomBytes(300_000) },
      6: { dict: kinds[1]!, data },
    });
    const { to } = await cleaned(pdf);
    expect((await stat(to)).size).toBeLessThan(2 * pdf.length);
  });

  test.each(["Contents", "Annots"])(
    "whose pages all have the same many %s is refused, and nothing is copied",
    async (key) => {
      const pages = Array.from({ length: 400 }, (_, n) => n + 10);
      const objects = Object.fromEntries(pages.map((n) => [n, pageWith(`/${key} 5 0 R`)]));
      const many = `[${(key === "Contents" ? "4 0 R " : "6 0 R ").repeat(20_000)}]`;
      const from = join(directory, "many.pdf");
      const kids = pages.map((n) => `${n} 0 R`).join(" ");
      await writeFile(
        from,
        onePage({
          2: `<< /Type /Pages /Kids [${kids}] /Count 400 >>`,
          4: { dict: "", data: "n" },
          6: "<< /Subtype /Square >>",
          5: many,
          ...objects,
        }),
      );
      const count = await copyByPdfium(from, `${from}.copy`);
      const target = await PDFDocument.create();
      const before = target.context.enumerateIndirectObjects().length;
      const copy = await readFile(`${from}.copy`);
      await expect(copyPages(copy, count, target)).rejects.toThrow(PdfTooLarge);
      expect(target.context.enumerateIndirectObjects()).toHaveLength(before);
    },
  );
});

const pageWith = (entries: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${entries} >>`;
const blank = pageWith("");
const form = (data: string, entries = ""): Body => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 200 200] ${entries}`,
  data,
});

/** A PDF of one empty page but for other objects. */
const onePage = (objects: Record<number, Body>) =>
  handWritten({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: blank,
    ...objects,
  });

/** The PDF with an object that only readers of packed objects find (7.5.8.4). */
function hybrid(pdf: Buffer, number: number, packed: { dict: string; data: string }) {
  const [packedNumber, listNumber] = [number + 1, number + 2];
  const withPacked = updated(pdf, { [packedNumber]: packed });
  const list = Buffer.concat([entry(2, packedNumber, 0)]);
  const at = withPacked.length;
  const stream = `/Type /XRef /Size 400 /W [1 4 2] /Index [${number} 1] /Root 1 0 R`;
  const body = Buffer.concat([
    Buffer.from(`${listNumber} 0 obj\n<< ${stream} /Length ${list.length} >>\nstream\n`),
    list,
    Buffer.from("\nendstream\nendobj\n"),
  ]);
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(withPacked.toString("latin1"))![1];
  const trailer = `trailer\n<< /Size 400 /Root 1 0 R /Prev ${before} /XRefStm ${at} >>\n`;
  const table = `xref\n0 1\n0000000000 65535 f \n${trailer}startxref\n${at + body.length}\n%%EOF\n`;
  return Buffer.concat([withPacked, body, Buffer.from(table)]);
}

function entry(kind: number, second: number, third: number) {
  const bytes = Buffer.alloc(7);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt32BE(second, 1);
  bytes.writeUInt16BE(third, 5);
  return bytes;
}
