import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  AFRelationship,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFString,
  StandardFonts,
} from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { compose } from "../seal/compose.ts";
import { withPdf } from "../pdf/pdf.ts";
import { inspect } from "../process/worker.ts";

/** What is noted of page files beside the look of their pages. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "notes-"));
});
afterAll(() => rm(folder, { recursive: true }));

const newPath = () => join(folder, crypto.randomUUID());
const fixture = (file: string) => new URL(`../../../tests/fixtures/page-notes/${file}`, import.meta.url).pathname;

const at = (path: string) => inspect({ path, image: newPath() });
async function of(content: Uint8Array | string) {
  const path = newPath();
  await writeFile(path, content);
  return at(path);
}

async function pdf(change: (document: PDFDocument) => unknown = () => {}) {
  const document = await PDFDocument.create();
  document.addPage([400, 300]).drawText("A lease", { font: await document.embedFont(StandardFonts.Helvetica) });
  await change(document);
  return Buffer.from(await document.save({ useObjectStreams: false, updateFieldAppearances: false }));
}

const notesOf = async (content: Uint8Array | Promise<Uint8Array>) => {
  const result = await of(await content);
  return "notes" in result ? result.notes : result;
};

const absence = "which the sealed PDF will not have";
const amongOthers = "which a sealed PDF of several files will not have";

describe("Page files of the field", () => {
  const accepted: [string, string[]][] = [
    ["blank-line-before-header.pdf", []],
    ["bom-before-header.pdf", []],
    ["bytes-before-header.pdf", []],
    [
      "owner-password-only.pdf",
      [`has tags for screen readers, ${amongOthers}`, `has an owner password that forbids changes, ${absence}`],
    ],
    ["pages-not-encrypted.pdf", [`has an owner password that forbids printing, changes and copying, ${absence}`]],
    ["printed-by-chromium.pdf", [`has tags for screen readers, ${amongOthers}`]],
    ["signed-by-another.pdf", [`has a signature of A. Counterparty, ${absence}`]],
    ["tagged.pdf", [`has tags for screen readers, ${amongOthers}`]],
    ["white-on-transparent.png", ["is blank on white paper: nothing can be seen on its first page"]],
  ];
  test.each(accepted)("%s is taken with its notes", async (file, notes) => {
    expect(await at(fixture(file))).toMatchObject({ pages: 1, notes });
  });

  test.each([
    ["portfolio.pdf", "is a portfolio of 1 file: add the files in it"],
    ["xfa-please-wait.pdf", "is an XFA form, whose pages few programs show: print it to a PDF and add that"],
  ])("%s is refused, as its page is not the document", async (file, refused) => {
    expect(await at(fixture(file))).toEqual({ refused });
  });
});

describe("Bytes before the header", () => {
  const before = "Return-Path: <scanner@office.example>\r\nFrom: scanner\r\nContent-Type: application/pdf\r\n\r\n";

  test.each([
    ["mail headers", before],
    ["the last place where readers look", " ".repeat(1024)],
  ])("%s are passed over, whether offsets count from the header or from the file's start", async (_, text) => {
    const plain = (await pdf()).toString("latin1");
    const fromStart = plain
      .replace(
        /^(\d{10})( \d{5} n)/gm,
        (_, offset, rest) => `${String(Number(offset) + text.length).padStart(10, "0")}${rest}`,
      )
      .replace(/(?<=startxref\s)\d+/, (offset) => String(Number(offset) + text.length));
    for (const content of [plain, fromStart]) {
      expect(await of(Buffer.from(text + content, "latin1"))).toMatchObject({ type: "application/pdf", notes: [] });
    }
  });

  test("a header further on is none, and one within a file of another kind is that file's", async () => {
    const plain = await pdf();
    expect(await of(Buffer.concat([Buffer.alloc(1025, " "), plain]))).toEqual({
      refused: "is not a JPG, PNG or PDF",
    });
    const sequence = Buffer.from("308006092a864886f70d010702a080", "hex");
    expect(await of(Buffer.concat([sequence, plain]))).toEqual({
      refused: "is a signed file (P7M): add the PDF in it",
    });
    expect(await of(Buffer.concat([Buffer.from("PK\x03\x04"), plain]))).toEqual({
      refused: "is a ZIP file: add the files in it",
    });
  });

  test("such a file is sealed as it is seen", async () => {
    const to = newPath();
    await compose([{ path: fixture("bytes-before-header.pdf"), type: "application/pdf" }], to);
    const text = await withPdf(to, async (document) => document.getPage(0).getText());
    expect(text).toContain("Printed by a driver");
  });
});

describe("Passwords", () => {
  test.skipIf(without("qpdf")).each([
    [
      "256",
      ["--print=none", "--modify=none", "--extract=n"],
      ["has an owner password that forbids printing, changes and copying"],
    ],
    ["128", ["--print=none"], ["has an owner password that forbids printing"]],
    ["128", ["--use-aes=y", "--cleartext-metadata", "--extract=n"], ["has an owner password that forbids copying"]],
    ["40", ["--modify=n"], ["has an owner password that forbids changes"]],
    ["256", ["--force-R5"], []],
    ["256", [], []],
  ])("an owner password alone of %s bits is opened; what it forbids (%s) is noted", async (bits, forbidden, notes) => {
    const [from, to, sealed] = [newPath(), newPath(), newPath()];
    await writeFile(from, await pdf());
    await run("qpdf", ["--allow-weak-crypto", "--encrypt", "", "owner", bits, ...forbidden, "--", from, to]);
    expect(await at(to)).toMatchObject({ pages: 1, notes: notes.map((note) => `${note}, ${absence}`) });
    await compose([{ path: to, type: "application/pdf" }], sealed);
    expect((await readFile(sealed)).includes("/Encrypt")).toBe(false);
    expect(await withPdf(sealed, async (document) => document.getPage(0).getText())).toContain("A lease");
  });

  test.skipIf(without("qpdf"))(
    "a file that opens with a password alone is refused, with a way that works",
    async () => {
      const [from, to] = [newPath(), newPath()];
      await writeFile(from, await pdf());
      await run("qpdf", ["--encrypt", "user", "owner", "256", "--", from, to]);
      expect(await at(to)).toEqual({ refused: "needs a password to open: open it, print it to a PDF and add that" });
    },
  );
});

/** Adds a signature field with a value. */
function sign(document: PDFDocument, value: Record<string, unknown> | undefined) {
  const { context, catalog } = document;
  const field = context.obj({
    FT: "Sig",
    T: PDFString.of(crypto.randomUUID()),
    ...(value && { V: context.obj(value as never) }),
  });
  const form = catalog.lookupMaybe(PDFName.of("AcroForm"), PDFDict) ?? context.obj({ Fields: [] });
  catalog.set(PDFName.of("AcroForm"), form);
  (form.get(PDFName.of("Fields")) as unknown as { push(value: unknown): void }).push(context.register(field));
}

const signature = (contents: Uint8Array, more: object = {}) => ({
  Type: "Sig",
  Filter: "Adobe.PPKLite",
  ByteRange: [0, 1, 2, 3],
  Contents: PDFHexString.of(Buffer.concat([contents, Buffer.alloc(99)]).toString("hex")),
  ...more,
});

describe("Signatures of others", () => {
  test.skipIf(without("openssl")).each([
    ["DER", []],
    ["BER of unknown length", ["-stream"]],
  ])("are named by the signer's certificate, in %s, whatever the file says beside it", async (_, form) => {
    const [key, certificate, chain, content, cms] = [newPath(), newPath(), newPath(), newPath(), newPath()];
    const subject = "/O=Приклад/CN=Żofia Łuć, Ґ 李 & Söhne";
    const make = (to: string, name: string) =>
      run("openssl", [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-utf8",
        "-subj",
        name,
        "-keyout",
        key,
        "-out",
        to,
      ]);
    await make(chain, "/CN=Some authority");
    await make(certificate, subject);
    await writeFile(content, "signed bytes");
    const args = ["-signer", certificate, "-inkey", key, "-certfile", chain, "-outform", "DER", "-out", cms, ...form];
    await run("openssl", ["cms", "-sign", "-binary", "-in", content, ...args]);
    const bytes = await readFile(cms);
    const name = { Name: PDFHexString.fromText("Another Name") };
    expect(await notesOf(pdf((document) => sign(document, signature(bytes, name))))).toEqual([
      `has a signature of Żofia Łuć, Ґ 李 & Söhne, ${absence}`,
    ]);
  });

  test("are named by the file if there is no certificate, cleaned and cut, or not at all", async () => {
    const nameOf = (text: string) => ({ Name: PDFHexString.fromText(text) });
    const by = (text: string) => notesOf(pdf((document) => sign(document, signature(Buffer.alloc(9), nameOf(text)))));
    expect(await by("Олена Приклад")).toEqual([`has a signature of Олена Приклад, ${absence}`]);
    expect(await by("شرکة\u200cالمثال")).toEqual([`has a signature of شرکة\u200cالمثال, ${absence}`]);
    expect(await by("A\u202e\u0000\nB\u2028 C")).toEqual([`has a signature of A B C, ${absence}`]);
    expect(await by("\u200e \u00ad")).toEqual([`has a signature, ${absence}`]);
    expect(await by("漢".repeat(500))).toEqual([`has a signature of ${"漢".repeat(79)}…, ${absence}`]);
  });

  test("are counted, with time stamps of their own, and an empty field is none", async () => {
    const named = (text: string) => signature(Buffer.alloc(9), { Name: PDFString.of(text) });
    const several = pdf((document) => {
      for (const name of ["A", "B", "C", "D"]) sign(document, named(name));
      sign(document, { ...named("Stamping Ltd"), Type: "DocTimeStamp" });
      sign(document, undefined);
    });
    expect(await notesOf(several)).toEqual([
      `has 4 signatures (of A, B and C among others) and a time stamp of Stamping Ltd, ${absence}`,
    ]);
    expect(await notesOf(pdf((document) => sign(document, undefined)))).toEqual([]);
  });
});

describe("Attached files", () => {
  const attach = async (document: PDFDocument, name: string) =>
    document.attach(Buffer.from("<x/>"), name, { afRelationship: AFRelationship.Alternative });

  test("are named, e-invoices as such", async () => {
    expect(await notesOf(pdf((document) => attach(document, "factur-x.xml")))).toEqual([
      `contains the e-invoice factur-x.xml, ${absence}`,
    ]);
    const several = pdf(async (document) => {
      for (const name of ["xrechnung.xml", "Додаток 1.txt", "附件.csv"]) await attach(document, name);
    });
    expect(await notesOf(several)).toEqual([
      `contains the e-invoice xrechnung.xml and 2 attached files (“Додаток 1.txt” and “附件.csv”), ${absence}`,
    ]);
  });

  test("are named wherever they hang, and e-invoices by whatever name the file declares", async () => {
    const file = (document: PDFDocument, called: string) => {
      const stream = document.context.register(document.context.flateStream("<x/>", { Type: "EmbeddedFile" }));
      const name = PDFString.of(called);
      return document.context.register(
        document.context.obj({ Type: "Filespec", F: name, UF: name, EF: { F: stream } }),
      );
    };
    const hung: ((document: PDFDocument) => { set(key: PDFName, value: unknown): void })[] = [
      ({ catalog }) => catalog as never,
      (document) => document.getPage(0).node as never,
      (document) => {
        const note = document.context.obj({ Type: "Annot", Subtype: "Square", Rect: [9, 9, 20, 20] });
        document.getPage(0).node.set(PDFName.of("Annots"), document.context.obj([note]));
        return note as never;
      },
      (document) => {
        const drawing = document.context.stream("", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 9, 9] });
        document.getPage(0).node.setXObject(PDFName.of("X"), document.context.register(drawing));
        return drawing.dict as never;
      },
    ];
    for (const to of hung) {
      const content = pdf((document) => {
        const one = file(document, "order-x.xml");
        to(document).set(PDFName.of("AF"), document.context.obj([one]));
      });
      expect(await notesOf(content)).toEqual([`contains the order order-x.xml, ${absence}`]);
    }
    const declared = pdf(async (document) => {
      await attach(document, "Rechnung 7.xml");
      const xmp = "<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>Rechnung 7.xml</fx:DocumentFileName>";
      const { context } = document;
      document.catalog.set(PDFName.of("Metadata"), context.register(context.flateStream(xmp, { Type: "Metadata" })));
    });
    expect(await notesOf(declared)).toEqual([`contains the e-invoice Rechnung 7.xml, ${absence}`]);
  });

  test.skipIf(without("qpdf"))("are named as qpdf attaches them", async () => {
    const [from, to, file] = [newPath(), newPath(), newPath()];
    await writeFile(from, await pdf());
    await writeFile(file, "<x/>");
    await run("qpdf", [from, "--add-attachment", file, "--filename=ZUGFeRD-invoice.xml", "--", to]);
    expect(await at(to)).toMatchObject({ notes: [`contains the e-invoice ZUGFeRD-invoice.xml, ${absence}`] });
  });

  test("are the document in a portfolio and in a wrapper of an encrypted file, unless the page is what opens", async () => {
    const collection = (more: object, name = "a.pdf") =>
      pdf(async (document) => {
        await attach(document, name);
        await attach(document, "b.pdf");
        document.catalog.set(PDFName.of("Collection"), document.context.obj({ Type: "Collection", ...more }));
      });
    expect(await notesOf(collection({}))).toEqual({ refused: "is a portfolio of 2 files: add the files in it" });
    expect(await notesOf(collection({ View: "H" }))).toEqual([
      `contains 2 attached files (“a.pdf” and “b.pdf”), ${absence}`,
    ]);
    const wrapper = pdf((document) =>
      document.attach(Buffer.from("x"), "protected.pdf", { afRelationship: "EncryptedPayload" as AFRelationship }),
    );
    expect(await notesOf(wrapper)).toEqual({
      refused: "contains its document encrypted: open that, print it to a PDF and add that",
    });
  });
});

describe("Other things beside pages", () => {
  const annotated = (...all: object[]) =>
    pdf((document) => {
      const { context } = document;
      const annotations = all.map((one) =>
        context.register(context.obj({ Type: "Annot", Rect: [9, 9, 99, 99], ...one })),
      );
      document.getPage(0).node.set(PDFName.of("Annots"), context.obj(annotations));
    });

  test("comments are counted, hidden ones and links are not", async () => {
    const comment = { Subtype: "Text", Contents: PDFString.of("Change the rent") };
    const comments = annotated(
      comment,
      { ...comment, F: 2 },
      { Subtype: "Text", Contents: PDFString.of("") },
      { Subtype: "Link" },
    );
    expect(await notesOf(comments)).toEqual(["has a comment, whose text the sealed PDF will not have"]);
  });

  test("text beside a mark is a comment, in whatever form, and marks without text are none", async () => {
    const place = { QuadPoints: [9, 99, 99, 99, 9, 9, 99, 9] };
    const marks = annotated(
      { Subtype: "Highlight", ...place, Contents: PDFString.of("Change the rent") },
      { Subtype: "StrikeOut", ...place, RC: PDFString.of("<body><p>Delete</p></body>") },
      { Subtype: "Underline", ...place },
      { Subtype: "Square", Contents: PDFString.of(" ") },
      { Subtype: "Ink", InkList: [[9, 9, 20, 20]], Contents: PDFHexString.fromText("Так") },
    );
    expect(await notesOf(marks)).toEqual(["has 3 comments, whose text the sealed PDF will not have"]);
  });

  test("reports redactions that were not applied", async () => {
    expect(await notesOf(annotated({ Subtype: "Redact" }))).toEqual([
      "has redactions that are marked, but not applied, so that what they cover may still be in the file",
    ]);
  });

  const script = { S: "JavaScript", JS: PDFString.of("app.alert(1)") };
  const acting: [string, (document: PDFDocument) => unknown][] = [
    [
      "when the document opens, second",
      ({ catalog, context }) =>
        catalog.set(PDFName.of("OpenAction"), context.obj({ S: "GoTo", D: [0], Next: [script] })),
    ],
    ["when it is printed", ({ catalog, context }) => catalog.set(PDFName.of("AA"), context.obj({ WP: script }))],
    [
      "when a page opens",
      (document) => document.getPage(0).node.set(PDFName.of("AA"), document.context.obj({ O: script })),
    ],
    [
      "when a field changes",
      (document) => {
        const field = document.getForm().createTextField("sum");
        field.enableReadOnly();
        field.addToPage(document.getPage(0));
        field.acroField.dict.set(PDFName.of("AA"), document.context.obj({ C: script }));
      },
    ],
    [
      "by a tree of names",
      ({ catalog, context }) =>
        catalog.set(
          PDFName.of("Names"),
          context.obj({ JavaScript: { Kids: [{ Names: [PDFString.of("a"), script] }] } }),
        ),
    ],
  ];
  test.each(acting)("a script that runs %s is named", async (_, change) => {
    expect(await notesOf(pdf(change))).toEqual([`has scripts, ${absence}`]);
  });

  test("actions are named; links in the file and to the web, which stay, are not", async () => {
    const link = (more: object) => annotated({ Subtype: "Link", ...more });
    const doing = [`has actions that open files or send forms, ${absence}`];
    expect(await notesOf(link({ Dest: [0, "Fit"] }))).toEqual([]);
    expect(await notesOf(link({ A: { S: "GoTo", D: [0, "Fit"] } }))).toEqual([]);
    expect(await notesOf(link({ A: { S: "Launch", F: PDFString.of("a.exe") } }))).toEqual(doing);
    expect(await notesOf(link({ A: { S: "GoToR", F: PDFString.of("b.pdf"), D: [0, "Fit"] } }))).toEqual(doing);
    const address = (of: string) => ({ A: { S: "URI", URI: PDFString.of(of) } });
    expect(await notesOf(link(address("https://a.example")))).toEqual([]);
    for (const other of ["tel:+441632960001", "prices.html", "file:///prices.pdf"])
      expect(await notesOf(link(address(other))), other).toEqual([
        `has links that lead neither to its pages nor to the web, ${absence}`,
      ]);
    const bookmarked = (action: object) =>
      pdf(({ catalog, context }) => {
        const item = context.register(context.obj({ Title: PDFString.of("Prices"), A: action as never }));
        catalog.set(PDFName.of("Outlines"), context.obj({ First: item, Last: item }));
      });
    expect(await notesOf(bookmarked({ S: "GoTo", D: [0, "Fit"] }))).toEqual([]);
    expect(await notesOf(bookmarked({ S: "Launch", F: PDFString.of("a.exe") }))).toEqual(doing);
    expect(await notesOf(bookmarked(address("https://a.example").A))).toEqual([
      `has bookmarks that lead to no page of it, ${absence}`,
    ]);
  });

  test("the form for presses is named", async () => {
    const presses = pdf(({ context }) => {
      const info = context.obj({ GTS_PDFXVersion: PDFString.of("PDF/X-1:2001") });
      context.trailerInfo.Info = context.register(info);
    });
    expect(await notesOf(presses)).toEqual([`has the form of PDF/X, ${absence}`]);
  });

  test("page numbers are named unless they are plain", async () => {
    const numbered = (...labels: object[]) =>
      pdf(({ catalog, context }) =>
        catalog.set(
          PDFName.of("PageLabels"),
          context.obj({ Kids: [{ Nums: labels.flatMap((one, n) => [n, one]) }] } as never),
        ),
      );
    expect(await notesOf(numbered({ S: "D" }))).toEqual([]);
    for (const label of [{ S: "r" }, { S: "D", St: 7 }, { P: PDFString.of("A-"), S: "D" }])
      expect(await notesOf(numbered(label))).toEqual([`has page numbers of its own, ${amongOthers}`]);
  });

  test("notes that are not drawn here, films and models are named", async () => {
    const text = { Subtype: "FreeText", Contents: PDFString.of("Paid"), DA: PDFString.of("/Helv 12 Tf 0 g") };
    expect(await notesOf(annotated(text, text, { Subtype: "RichMedia" }))).toEqual([
      "has 2 notes that only some programs show, whose text the sealed PDF will not have",
      "has a film, a sound or a model, of which the sealed PDF has no more than a picture",
    ]);
  });

  test("form fields become fixed, unless they are already", async () => {
    const form = (isFixed: boolean) =>
      pdf((document) => {
        const field = document.getForm().createTextField("name");
        field.addToPage(document.getPage(0));
        if (isFixed) field.enableReadOnly();
      });
    expect(await notesOf(form(false))).toEqual(["has form fields, which can’t be filled in the sealed PDF"]);
    expect(await notesOf(form(true))).toEqual([]);
  });

  test("a form that is XFA and has fields as well is taken, unless its pages have to be made anew", async () => {
    const form = (config: string) =>
      pdf((document) => {
        document.getForm().createTextField("name").addToPage(document.getPage(0));
        const packets = [PDFString.of("config"), document.context.register(document.context.flateStream(config))];
        document.catalog.lookup(PDFName.of("AcroForm"), PDFDict).set(PDFName.of("XFA"), document.context.obj(packets));
      });
    expect(await notesOf(form("<dynamicRender>forbidden</dynamicRender>"))).toEqual([
      "has form fields, which can’t be filled in the sealed PDF",
    ]);
    expect(await notesOf(form("<dynamicRender> required</dynamicRender>"))).toMatchObject({
      refused: expect.stringMatching(/^is an XFA form/),
    });
  });

  test("hidden layers, scripts and a claim of PDF/A are named; bookmarks, a title and the page that opens are not", async () => {
    const rich = pdf((document) => {
      const { context, catalog } = document;
      const layer = context.register(context.obj({ Type: "OCG", Name: PDFString.of("Deutsch") }));
      catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
      catalog.set(
        PDFName.of("Outlines"),
        context.obj({ First: context.register(context.obj({ Title: PDFString.of("1") })) }),
      );
      catalog.set(PDFName.of("OpenAction"), context.obj({ S: "JavaScript", JS: PDFString.of("app.alert(1)") }));
      const metadata = context.flateStream('<rdf:Description pdfaid:part="3" pdfaid:conformance="B"/>', {
        Type: "Metadata",
      });
      catalog.set(PDFName.of("Metadata"), context.register(metadata));
    });
    expect(await notesOf(rich)).toEqual([
      "has hidden layers, which stay hidden in the sealed PDF",
      `has scripts, ${absence}`,
      `has the form of PDF/A-3, ${amongOthers}`,
    ]);
    const plain = pdf((document) => {
      document.setTitle("Lease");
      document.catalog.set(PDFName.of("OpenAction"), document.context.obj([document.getPage(0).ref, "Fit"]));
    });
    expect(await notesOf(plain)).toEqual([]);
  });

  test.each([
    ["a page", (state: PDFObject, page: PDFPage) => page.node.newExtGState("GS", state as PDFDict)],
    [
      "a form of a page",
      (state: PDFObject, { node, doc }: PDFPage) => {
        const form = { Type: "XObject", Subtype: "Form", BBox: [0, 0, 9, 9], Resources: { ExtGState: { GS: state } } };
        node.newXObject("Form", doc.context.register(doc.context.stream("", form)));
      },
    ],
  ])("that colours of %s are overprinted is named, as the sealed PDF shows them without it", async (_, add) => {
    const withState = (isOn: boolean) =>
      pdf((document) => add(document.context.obj({ op: isOn, OPM: 1 }), document.getPage(0)));
    expect(await notesOf(withState(true))).toEqual([
      "has overprinted colours, which cover what is below them in the sealed PDF",
    ]);
    expect(await notesOf(withState(false))).toEqual([]);
  });

  test.skipIf(without("gs"))("an ordinary file of Ghostscript has no note, and its PDF/A one", async () => {
    const [from, plain, archival] = [newPath(), newPath(), newPath()];
    await writeFile(from, await pdf());
    const convert = (to: string, ...more: string[]) =>
      run("gs", ["-q", "-dNOPAUSE", "-dBATCH", ...more, "-sDEVICE=pdfwrite", `-sOutputFile=${to}`, from]);
    await convert(plain);
    await convert(archival, "-dPDFA=2", "-sColorConversionStrategy=RGB", "-dPDFACompatibilityPolicy=1");
    expect(await at(plain)).toMatchObject({ notes: [] });
    expect(await at(archival)).toMatchObject({ notes: [`has the form of PDF/A-2, ${amongOthers}`] });
  });

  test("lists that contain themselves end, and thousands of things stay a few sentences", async () => {
    const endless = pdf((document) => {
      const { context, catalog } = document;
      const kids = context.nextRef();
      context.assign(kids, context.obj([kids, context.obj({ Kids: kids, Names: kids, Parent: kids })]));
      catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: kids, XFA: kids }));
      catalog.set(PDFName.of("Names"), context.obj({ EmbeddedFiles: { Kids: kids } }));
      catalog.set(PDFName.of("AF"), kids);
      const file = context.register(context.obj({ F: PDFHexString.fromText("x".repeat(2000)), EF: {} }));
      const many = Array.from({ length: 30_000 }, () =>
        context.obj({ Type: "Annot", Subtype: "FileAttachment", FS: file }),
      );
      document.getPage(0).node.set(PDFName.of("Annots"), context.obj(many));
    });
    const notes = await notesOf(endless);
    expect(notes).toHaveLength(1);
    expect(String(notes)).toMatch(/^contains an attached file “x{79}…”, /);
  });

  test("keeps the language if all files have the same, and drops it if they differ", async () => {
    const path = async (language: string) => {
      const to = newPath();
      await writeFile(to, await pdf(({ catalog }) => catalog.set(PDFName.of("Lang"), PDFString.of(language))));
      return { path: to, type: "application/pdf" } as const;
    };
    const languageOf = async (...languages: string[]) => {
      const to = newPath();
      await compose(await Promise.all(languages.map(path)), to);
      const { catalog } = await PDFDocument.load(await readFile(to));
      return catalog.lookupMaybe(PDFName.of("Lang"), PDFString)?.decodeText();
    };
    expect(await languageOf("pl-PL", "pl-PL")).toBe("pl-PL");
    expect(await languageOf("de", "pl", "de")).toBe(undefined);
    expect(await languageOf("<script>", "de")).toBe(undefined);
  });
});

describe("Pictures", () => {
  const drawn = () =>
    sharp({ create: { width: 50, height: 40, channels: 3, background: "red" } }).composite([
      { input: { create: { width: 9, height: 9, channels: 3, background: "blue" } } },
    ]);

  test("WebP is a page like others, under any name, and an animation is its first picture", async () => {
    const path = newPath();
    await writeFile(path, await drawn().webp().toBuffer());
    const note = "is a WebP picture, which is a JPG in the sealed PDF";
    expect(await at(path)).toMatchObject({ type: "image/webp", pages: 1, width: 50, height: 40, notes: [note] });
    const sealed = newPath();
    await compose([{ path, type: "image/webp" }], sealed);
    const { data } = await withPdf(sealed, (document) => document.getPage(0).render({ scale: 0.2, render: "bitmap" }));
    expect([...data.subarray(data.length / 2, data.length / 2 + 3)].toSorted()).not.toEqual([255, 255, 255]);
    const frames = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { width: 9, height: 9, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const film = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect(await notesOf(film)).toContain("is animated: the sealed PDF will have its first picture");
  });

  test("other kinds are refused by their names", async () => {
    const tiff = await drawn().tiff().toBuffer();
    const zip = (name: string) => `PK\x03\x04${"[Content_Types].xml".padEnd(3000)}PK\x01\x02 ${name}`;
    const kinds: [Uint8Array | string, RegExp][] = [
      [Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic")]), /^is an HEIC photo: save/],
      [await drawn().avif().toBuffer(), /^is an AVIF picture: save it as a JPG or PNG$/],
      [tiff, /^is a TIFF picture: save it as a PDF$/],
      [await drawn().gif().toBuffer(), /^is a GIF picture/],
      [zip("word/document.xml"), /^is a Word document: save it as a PDF$/],
      [zip("xl/workbook.xml"), /^is an Excel workbook: save it as a PDF$/],
      ["PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text", /^is an OpenDocument text: save it as a PDF$/],
      [zip("pages/1.jpg"), /^is a ZIP file: add the files in it$/],
      ["%!PS-Adobe-3.0\n", /^is a PostScript file/],
      ["\ufeff<?xml version='1.0'?><!-- x --><svg>", /^is an SVG drawing: save it as a PDF$/],
      ["<!DOCTYPE html><p>", /^is a web page: print it to a PDF and add that$/],
      ["From: <Saved by Blink>\r\nContent-Type: multipart/related", /^is a saved web page/],
      ["Received: by x\r\nFrom: a@b.example\r\n\r\nSee attached", /^is an email: add the files attached to it$/],
      ["{\\rtf1 x}", /^is an RTF document/],
      ["", /^is empty/],
      ["From: a@b.example\nTo: c@d.example\nSubject: Lease\n\nAttached", /^is an email/],
      ["From a@b.example Mon Jan 1\nSubject: x\n\n", /^is an email/],
      ["<?xml version='1.0'?><!DOCTYPE svg [ <!ENTITY a 'b'> ]><svg>", /^is an SVG drawing/],
      ["Dear Sir or Madam", /^is a text file: print it to a PDF and add that$/],
      ["name,sum\nŁódź,1", /^is a text file/],
      [Buffer.from("\ufeffDear Sir", "utf16le"), /^is a text file/],
      ["[InternetShortcut]\r\nURL=https://drive.example", /^is a link to a file: add the file itself$/],
      ['{"":"WARNING! DO NOT EDIT","doc_id":"1"}', /^is a link to a file/],
      [Buffer.alloc(5000), /^is empty: choose the file again$/],
      [Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypcrx \0\0\0\x01crx isom")]), /^is a raw photo/],
      [zip("visio/document.xml"), /^is a Visio drawing/],
      ["PK\x05\x06".padEnd(22, "\0"), /^is a ZIP file/],
      [Buffer.from("MZ\x90\0\x03"), /^is not a JPG, PNG or PDF$/],
    ];
    for (const [content, refused] of kinds)
      expect(await of(content)).toEqual({ refused: expect.stringMatching(refused) });
  });
});
