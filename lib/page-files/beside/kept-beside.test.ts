import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { AFRelationship, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRef, PDFString } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, suite, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { compose } from "../seal/compose.ts";
import { inspect } from "../process/worker.ts";
import { qrModules } from "../seal/qr.ts";
import { copyPages } from "../pdf/clean.ts";
import { PdfCopier } from "../pdf/pdf-copier.ts";
import { copyByPdfium } from "../pdf/pdfium-copy.ts";
import { addBookmarks, type Bookmark } from "./bookmarks.ts";
import { KeptBeside } from "./kept-beside.ts";

/** What sealed PDFs keep beside their pages, of files that programs of others made, as programs of others read it. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beside-"));
});
afterAll(() => rm(folder, { recursive: true }));

const newPath = () => join(folder, crypto.randomUUID());
const fixture = (file: string) => new URL(`../../../tests/fixtures/page-beside/${file}`, import.meta.url).pathname;
const run = async (program: string, ...args: string[]) => (await promisify(execFile)(program, args)).stdout;

async function written(content: Uint8Array) {
  const path = newPath();
  await writeFile(path, content);
  return path;
}

/** Seals files with a stamp and a space for a signature. */
async function sealed(...files: string[]) {
  const to = newPath();
  const placing = { place: "bottom-right", pages: "first", millimetres: 20 } as const;
  const { size } = qrModules("https://sealdesk.example/v/4C7H29KD3P172XQ08");
  const stamp = { code: "4C7H-29KD-3P17-2XQ0-8", placing, sizes: { plain: size, signed: 177 } };
  const signature = { name: "Company", at: "2026-11-23T12:32:52.123Z", room: 100 };
  const sources = files.map((path, n) => ({ path, type: "application/pdf" as const, name: `Part ${n + 1}.pdf` }));
  await compose(sources, to, { stamp, signature, title: "Invoice NM-1" });
  return to;
}

async function pdf(change: (document: PDFDocument) => unknown = () => {}) {
  const document = await PDFDocument.create();
  for (const words of ["One", "Two", "Three"]) document.addPage([400, 300]).drawText(words);
  await change(document);
  return written(await document.save({ useObjectStreams: false }));
}

const notesOf = async (path: string) => {
  const result = await inspect({ path, image: newPath() });
  return "notes" in result ? result.notes : result;
};
const amongOthers = "which a sealed PDF of several files will not have";
const gone = "which the sealed PDF will not have";

/** Tags with their attributes and texts as poppler reads them, whatever the numbers and order within the file. */
const tagsIn = async (path: string) =>
  (await run("pdfinfo", "-struct-text", path))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("Object"))
    .toSorted();

const xmpOf = (path: string) => run("pdfinfo", "-meta", path);

const isMissing = without("pdfinfo") || without("pdfdetach") || without("qpdf");

suite.skipIf(isMissing)("A single file", () => {
  test.each(["libreoffice-a2-ua.pdf", "weasyprint-ua.pdf"])("that is tagged comes out tagged: %s", async (file) => {
    const to = await sealed(fixture(file));
    expect((await tagsIn(to)).length).toBeGreaterThan(10);
    expect(await tagsIn(to)).toEqual(await tagsIn(fixture(file)));
    expect(await run("pdfinfo", to)).toMatch(/^Tagged: +yes$/m);
    expect(await xmpOf(to)).toContain("<pdfuaid:part>1</pdfuaid:part>");
    expect(await notesOf(fixture(file))).toEqual([expect.stringMatching(/^has tags .*PDF\/UA-1, which a sealed/)]);
  });

  test.each([
    ["libreoffice-a2-ua.pdf", "2"],
    ["weasyprint-a3.pdf", "3"],
    ["ghostscript-a2.pdf", "2"],
  ])("that is PDF/A stays it, as far as its rules can be checked here: %s", async (file, part) => {
    const to = await sealed(fixture(file));
    expect(await run("qpdf", "--check", to)).toContain("No syntax or stream encoding errors");
    const xmp = await xmpOf(to);
    for (const claim of [`<pdfaid:part>${part}</pdfaid:part>`, "<pdfaid:conformance>B</pdfaid:conformance>"])
      expect(xmp).toContain(claim);
    const [, title] = /^Title: +(.*)$/m.exec(await run("pdfinfo", to))!;
    expect(xmp).toContain(`<rdf:li xml:lang="x-default">${title}</rdf:li>`);
    const document = await PDFDocument.load(await readFile(to), { updateMetadata: false });
    expect(document.context.trailerInfo.ID).toBeDefined();
    const metadata = document.catalog.lookup(PDFName.of("Metadata"));
    expect(String(metadata)).not.toContain("/Filter");
    const [intent] = document.catalog
      .lookup(PDFName.of("OutputIntents"))!
      .toString()
      .match(/\d+ 0 R|GTS_PDFA1/)!;
    expect(intent).toBeDefined();
    // 6.2.11.4.1: every font is embedded.
    const fonts = (await run("pdffonts", to)).trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThan(1);
    for (const font of fonts) expect(font).toMatch(/ yes (yes|no) +(yes|no) +\d+ +0$/);
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      const dict = object instanceof PDFDict ? object : undefined;
      // 6.3.3 and 6.1.12, and 6.5.1: no actions but to pages and the web.
      for (const key of ["AA", "XFA", "NeedAppearances", "Encrypt", "JS", "TR", "HTO"])
        expect(dict?.has(PDFName.of(key))).not.toBe(true);
      const isAnnotation = dict?.has(PDFName.of("Rect")) && dict.has(PDFName.of("Subtype"));
      const flags = isAnnotation ? dict!.lookup(PDFName.of("F"), PDFNumber).asNumber() : 4;
      expect(flags & (1 | 2 | 4 | 32)).toBe(4);
    }
  });

  test("that is an e-invoice comes out with the same XML and what XMP says of it", async () => {
    const from = fixture("factur-x.pdf");
    const to = await sealed(from);
    const xml = async (path: string) => {
      const into = newPath();
      await run("pdfdetach", "-save", "1", "-o", into, path);
      return readFile(into, "utf8");
    };
    expect(await xml(to)).toBe(await xml(from));
    expect(await xml(to)).toContain("CrossIndustryInvoice");
    expect(await run("pdfdetach", "-list", to)).toContain("factur-x.xml");
    expect(await xmpOf(to)).toMatch(/<fx:DocumentFileName>factur-x.xml<.*<pdfaProperty:name>ConformanceLevel</s);
    expect(await notesOf(from)).toEqual([expect.stringMatching(/^has the e-invoice factur-x\.xml.*which a sealed/)]);
  });

  test("keeps title, bookmarks, page numbers, and links between its pages", async () => {
    const from = await pdf((document) => {
      document.setTitle("Lease");
      const { context, catalog } = document;
      const [root, first, second] = [context.nextRef(), context.nextRef(), context.nextRef()];
      const third = document.getPage(2).ref;
      context.assign(root, context.obj({ First: first, Last: first, Count: 1 }));
      context.assign(first, context.obj({ Title: PDFString.of("Parts"), Parent: root, First: second, Next: first }));
      const jump = { S: "GoTo", D: PDFString.of("end") };
      context.assign(second, context.obj({ Title: PDFString.of("Three"), Parent: first, A: jump }));
      catalog.set(PDFName.of("Outlines"), root);
      const names = { Names: [PDFString.of("end"), { D: [third, "XYZ", 1, 2, 3] }] };
      catalog.set(PDFName.of("Names"), context.obj({ Dests: names }));
      catalog.set(
        PDFName.of("PageLabels"),
        context.obj({ Nums: [0, { S: "r" }, 1, { S: "D", P: PDFString.of("A-"), St: 7 }] }),
      );
      const link = { Type: "Annot", Subtype: "Link", Rect: [0, 0, 50, 50], Dest: [third, "Fit"] };
      document.getPage(0).node.set(PDFName.of("Annots"), context.obj([link, { ...link, Dest: [2, "Fit"] }]));
    });
    expect(await notesOf(from)).toEqual([`has page numbers of its own, ${amongOthers}`]);
    const to = await sealed(from);
    const { outlines, pages, pagelabels } = JSON.parse(await run("qpdf", "--json=1", to)) as Outlined;
    expect(outlines).toMatchObject([{ title: "Parts", kids: [{ title: "Three", destpageposfrom1: 3 }] }]);
    expect(pagelabels.map(({ label }) => [label["/S"], label["/P"], label["/St"]])).toEqual([
      ["/r", undefined, 1],
      ["/D", "A-", 7],
    ]);
    expect(await run("pdfinfo", "-dests", to)).toBeDefined();
    const document = await PDFDocument.load(await readFile(to));
    for (const n of [0, 1]) {
      const place = document.getPage(0).node.Annots()!.lookup(n, PDFDict).lookup(PDFName.of("Dest"))!;
      expect(String(place)).toContain(String(document.getPage(2).ref));
    }
    expect(pages).toHaveLength(3);
    expect(document.getTitle()).toBe("Lease");
  });

  test("without a title gets the document's", async () => {
    expect(await run("pdfinfo", await sealed(await pdf()))).toMatch(/^Title: +Invoice NM-1$/m);
  });

  test("loses a claim that would not be true any more, and a note says so", async () => {
    const claiming = (claims: string, change: (document: PDFDocument) => unknown = () => {}) =>
      pdf((document) => {
        const metadata = document.context.stream(`<rdf:Description ${claims}/>`, { Type: "Metadata" });
        document.catalog.set(PDFName.of("Metadata"), document.context.register(metadata));
        return change(document);
      });
    const negative = await negativeProfile();
    const oddProfile = (document: PDFDocument) => {
      const profile = document.context.register(document.context.flateStream(negative, { N: 3 }));
      const intent = { Type: "OutputIntent", S: "GTS_PDFA1", DestOutputProfile: profile };
      document.catalog.set(PDFName.of("OutputIntents"), document.context.obj([intent]));
    };
    const ordinary = await claiming(`pdfaid:part="2" pdfaid:conformance="B"`);
    expect(await notesOf(ordinary)).toEqual([`has the form of PDF/A-2, ${amongOthers}`]);
    expect(await xmpOf(await sealed(ordinary))).toContain("<pdfaid:part>2<");
    for (const [what, path] of [
      ["PDF/A-4", await claiming(`pdfaid:part="4"`)],
      ["PDF/UA-1", await claiming(`pdfuaid:part="1"`)],
      ["PDF/A-2", await claiming(`pdfaid:part="2" pdfaid:conformance="B"`, oddProfile)],
    ] as const) {
      expect(await notesOf(path), what).toEqual([`has the form of ${what}, ${gone}`]);
      expect(await xmpOf(await sealed(path)), what).not.toMatch(/pdf[au]+id:part/);
    }
  });
});

/** A profile whose colours programs show as a negative. */
async function negativeProfile(): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: "white" } });
  const { icc } = await sharp(await pixel.withIccProfile("srgb").png().toBuffer()).metadata();
  const profile = Buffer.from(icc!);
  for (let n = 0; n < profile.readUInt32BE(128); n++) {
    const entry = 132 + 12 * n;
    const curve = profile.readUInt32BE(entry + 4);
    if (!profile.toString("latin1", entry, entry + 4).endsWith("TRC")) continue;
    Buffer.from("637572760000000000000002ffff0000", "hex").copy(profile, curve);
  }
  return profile;
}

type Outlined = {
  outlines: { title: string; kids: { title: string; destpageposfrom1: number }[] }[];
  pages: unknown[];
  pagelabels: { label: Record<string, unknown> }[];
};

suite.skipIf(isMissing)("Several files", () => {
  test("come out with a title, their language, and a bookmark for each", async () => {
    const to = await sealed(fixture("weasyprint-ua.pdf"), await pdf(), fixture("libreoffice-a2-ua.pdf"));
    const { outlines } = JSON.parse(await run("qpdf", "--json=1", to)) as Outlined;
    expect(outlines.map(({ title }) => title)).toEqual(["Rechnung 2026-17", "Part 2", "Rechnung 2026-17"]);
    expect(outlines[0]!.kids[0]!.title).toBe("Rechnung");
    const info = await run("pdfinfo", to);
    expect(info).toMatch(/^Title: +Invoice NM-1$/m);
    expect(info).toMatch(/^Tagged: +no$/m);
    expect(await xmpOf(to)).not.toMatch(/pdf[au]+id:part/);
  });
});

const invoice = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
const root = `<rsm:CrossIndustryInvoice xmlns:rsm="urn:x">1</rsm:CrossIndustryInvoice>`;
const attached = (content: string | Uint8Array, name = "factur-x.xml") =>
  pdf((document) =>
    document.attach(Buffer.from(content as string), name, {
      mimeType: "text/xml",
      afRelationship: AFRelationship.Alternative,
    }),
  );

suite.skipIf(isMissing)("An attached file", () => {
  test("is kept if it is the XML of an invoice", async () => {
    for (const xml of [invoice(root), invoice(`<!-- made -->${root}`), "\ufeff" + root]) {
      expect(await run("pdfdetach", "-list", await sealed(await attached(xml)))).toContain("1 embedded");
    }
  });

  test.each([
    ["with an entity", invoice(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${root}`)],
    ["with a style", invoice(`<?xml-stylesheet href="https://elsewhere.example/a.xsl"?>${root}`)],
    ["of another root", invoice("<html>1</html>")],
    ["that is a program", "MZ\u0000\u0001"],
    ["in no UTF-8", Buffer.from([0x3c, 0xff, 0xfe])],
    ["of thousands of comments", invoice("<!---->".repeat(50_000))],
    ["over 4 MiB", invoice(root.replace("1", "1".repeat(5_000_000)))],
  ])("%s is not, and is named", async (_, content) => {
    const from = await attached(content);
    expect(await run("pdfdetach", "-list", await sealed(from))).toContain("0 embedded");
    expect(await notesOf(from)).toEqual([`contains the e-invoice factur-x.xml, ${gone}`]);
  });

  test("of another name is not kept, and is named", async () => {
    const from = await attached(invoice(root), "prices.xml");
    expect(await run("pdfdetach", "-list", await sealed(from))).toContain("0 embedded");
    expect(await notesOf(from)).toEqual([`contains an attached file “prices.xml”, ${gone}`]);
  });
});

test("Tags that contain themselves, or are too many, do not keep pages from being sealed", async () => {
  const endless = await pdf(({ context, catalog }) => {
    const [tree, element] = [context.nextRef(), context.nextRef()];
    context.assign(element, context.obj({ S: "P", P: tree, K: [element, 0, element, PDFRef.of(999)] }));
    context.assign(
      tree,
      context.obj({ Type: "StructTreeRoot", K: element, ParentTree: { Nums: [0, [element]], Kids: [tree] } }),
    );
    catalog.set(PDFName.of("StructTreeRoot"), tree);
  });
  expect((await PDFDocument.load(await readFile(await sealed(endless)))).getPageCount()).toBe(3);
  const many = await pdf(({ context, catalog }) => {
    const elements = Array.from({ length: 100_001 }, () => context.obj({ S: "P" }));
    catalog.set(PDFName.of("StructTreeRoot"), context.obj({ K: elements }));
  });
  expect(await notesOf(many)).toEqual([`has tags for screen readers, ${gone}`]);
  const document = await PDFDocument.load(await readFile(await sealed(many)));
  expect(document.catalog.has(PDFName.of("StructTreeRoot"))).toBe(false);
});

test.skipIf(isMissing)(
  "Tags of which a copy would be over budget are left out, and pages keep their text",
  async () => {
    const path = await pdf(({ context, catalog }) => {
      const list = context.register(PDFString.of("numbers"));
      const element = { S: "P", K: list, A: list, C: list };
      const [numbers, names] = ["Nums", "Names"].map((key) => ({ [key]: list, Kids: list, Limits: list }));
      const lists = { Namespaces: list, ClassMap: { Class: list }, ParentTree: numbers!, IDTree: names! };
      catalog.set(PDFName.of("StructTreeRoot"), context.obj({ K: element, ...lists }));
    });
    const content = await readFile(path, "latin1");
    await writeFile(path, content.replace("(numbers)", `[${"0 ".repeat(300_000)}]`), "latin1");
    expect(await notesOf(path)).toEqual([`has tags for screen readers, ${gone}`]);
    const to = await sealed(path);
    expect(await run("qpdf", "--qdf", to, "-")).toContain("/BaseFont");
    expect((await PDFDocument.load(await readFile(to))).catalog.has(PDFName.of("StructTreeRoot"))).toBe(false);
  },
);

test("A copy that fails on the way leaves nothing of it in the document", async () => {
  const scratch = newPath();
  const count = await copyByPdfium(fixture("weasyprint-ua.pdf"), scratch);
  const bytes = await readFile(scratch);
  const target = await PDFDocument.create();
  const kept = new KeptBeside(target, true);
  const pages = await copyPages(bytes, count, target, {
    beside: ({ copier, source, ...file }) => {
      const short = new PdfCopier(source, target, 0, { copies: copier.copies, entries: 20 });
      return kept.copy({ ...file, source, copier: short });
    },
  });
  expect(pages.every(Boolean)).toBe(true);
  await kept.write("Lease");
  for (const key of ["StructTreeRoot", "MarkInfo", "OutputIntents", "Outlines"])
    expect(target.catalog.has(PDFName.of(key)), key).toBe(false);
});

suite("Bookmarks", () => {
  const bookmark = (title: string, isOpen: boolean, ...below: Bookmark[]): Bookmark => ({ title, isOpen, below });

  test.each([
    [true, [4, 3, 2]],
    [false, [1, -3, 2]],
  ])("count all that are visible below them (open: %s)", async (isOpen, expected) => {
    const document = await PDFDocument.create();
    const second = bookmark("B", true, bookmark("C", false), bookmark("D", false));
    addBookmarks(document, [bookmark("A", isOpen, second)]);
    const counts: number[] = [];
    const at = (of: PDFDict) => of.lookupMaybe(PDFName.of("First"), PDFDict);
    let item: PDFDict | undefined = document.catalog.lookup(PDFName.of("Outlines"), PDFDict);
    for (; item?.has(PDFName.of("Count")); item = at(item))
      counts.push(item.lookup(PDFName.of("Count"), PDFNumber).asNumber());
    expect(counts).toEqual(expected);
  });

  test.skipIf(isMissing)("below one without a title take its place", async () => {
    const from = await pdf(({ context, catalog }) => {
      const below = context.register(context.obj({ Title: PDFString.of("Rent") }));
      const untitled = context.register(context.obj({ First: below, Last: below }));
      catalog.set(PDFName.of("Outlines"), context.obj({ First: untitled, Last: untitled }));
    });
    const { outlines } = JSON.parse(await run("qpdf", "--json=1", await sealed(from))) as Outlined;
    expect(outlines.map(({ title }) => title)).toEqual(["Rent"]);
  });
});
