import { PDFArray, PDFBool, PDFDict, PDFName, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { maxBookmarks } from "../beside/bookmarks.ts";
import { FileClaims } from "../beside/claims.ts";
import { eInvoiceNames, EInvoices, eOrderNames } from "../beside/e-invoice.ts";
import { tagsOf } from "../beside/tags.ts";
import { webAddressOf } from "../pdf/pdf-annotations.ts";
import { maxVisited, PdfEntries } from "../pdf/pdf-entries.ts";
import { pagesOf } from "../pdf/pdf-pages.ts";
import { markup, media, undrawn } from "./annotation-kinds.ts";
import { cleanName, countedPhrase } from "./notes.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { signatureBytes, signerName } from "../pdf/signer-name.ts";

const name = (text: string) => PDFName.of(text);
const printed = "print it to a PDF and add that";

/** In XMP, whatever it is called. */
const declaredInvoice = /DocumentFileName(?:\s?=\s?["']|>)([^<"']{1,100})/;
/** Keys below which a document, page, annotation or field has its actions (12.6.3). */
const actionKeys = "OpenAction A AA Next E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP".split(" ");
/** Kept, seen on the sealed pages all the same, or of no use without a screen. */
const unmissedActions = new Set(["GoTo", "Thread", "JavaScript", "URI", "Named", "Hide", "Trans", "GoTo3DView"]);
/** Signatures beyond are counted, not read. */
const maxSigners = 20;
const hidden = 2 | 32;
const readOnly = 1;
const pushButton = 1 << 16;

/** What no sealed PDF keeps, and what that of a single file keeps. */
type Beside = { lost: string[]; keptAlone: string[] };

/**
 * Content of a PDF beside the look of its pages (ISO 32000-2), as far as a person would miss it in the sealed PDF. An
 * ordinary file of an office program gets one note at most.
 */
export class ContentBesidePages extends PdfEntries {
  private readonly pages: PDFDict[];
  private readonly resources: (PDFObject | undefined)[];
  private readonly annotations: PDFDict[];

  constructor(source: PdfReader, count: number) {
    super(source);
    const pages = pagesOf(source, count);
    this.pages = pages.map(({ node }) => node);
    this.resources = [...new Set(pages.map(({ inherited }) => source.look(inherited.get(name("Resources")))))];
    const all = this.pages.flatMap((page) => page.get(name("Annots")) ?? []);
    this.annotations = this.below(all).filter((one) => !(this.number(one, "F") & hidden));
  }

  portfolio(): string | undefined {
    const files = this.embedded();
    const payload = files.some((file) => this.at(file, "AFRelationship") === name("EncryptedPayload"));
    if (payload) return `contains its document encrypted: open that, ${printed}`;
    const collection = this.at(this.source.catalog, "Collection");
    // Hidden, the page is shown.
    if (!(collection instanceof PDFDict) || this.at(collection, "View") === name("H")) return undefined;
    const many = files.length === 0 ? "" : ` of ${files.length} ${files.length === 1 ? "file" : "files"}`;
    return `is a portfolio${many}: add the files in it`;
  }

  /** A dynamic form: programs draw other pages in place of its own. */
  xfa(): string | undefined {
    const { catalog } = this.source;
    const packets = this.streams(this.at(catalog, "AcroForm", "XFA"));
    const isDynamic =
      packets.length > 0 &&
      (this.formFields().length === 0 || packets.some((packet) => /dynamicRender>\s*required/.test(this.text(packet))));
    if (!isDynamic && this.at(catalog, "NeedsRendering") !== PDFBool.True) return undefined;
    return `is an XFA form, whose pages few programs show: ${printed}`;
  }

  signatures(): string[] {
    const values = this.formFields().flatMap((field) => {
      const value = this.at(field, "V");
      return value instanceof PDFDict && value.has(name("Contents")) ? [value] : [];
    });
    const isStamp = (value: PDFDict) =>
      this.at(value, "Type") === name("DocTimeStamp") || this.at(value, "SubFilter") === name("ETSI.RFC3161");
    const of = (signed: PDFDict[], thing: string) =>
      countedPhrase(
        thing,
        [...new Set(signed)].map((value, n) => (n < maxSigners ? this.signerOf(value) : "")),
        { joined: "of" },
      );
    return [
      ...of(
        values.filter((value) => !isStamp(value)),
        "signature",
      ),
      ...of(values.filter(isStamp), "time stamp"),
    ];
  }

  /** By the certificate, which the file's author can't write as they like; else by the name beside it. */
  private signerOf(value: PDFDict): string {
    const certificate = this.at(value, "Cert");
    const first = certificate instanceof PDFArray ? this.source.look(certificate.get(0)) : certificate;
    const bytes = signatureBytes(first) ?? signatureBytes(this.at(value, "Contents"));
    return cleanName((bytes && signerName(bytes)) ?? this.words(value, "Name"));
  }

  files(): Beside {
    const names = this.embedded().map((file) => cleanName(this.words(file, "UF") || this.words(file, "F")));
    const declared = declaredInvoice.exec(this.metadata())?.[1];
    const isInvoice = (file: string) => eInvoiceNames.test(file) || (file !== "" && file === declared);
    const eFiles = [...new Set(names)].flatMap((file) => {
      if (eOrderNames.test(file)) return [{ file, kind: "order" }];
      return isInvoice(file) ? [{ file, kind: "e-invoice" }] : [];
    });
    const others = names.filter((file) => !eFiles.some((one) => one.file === file));
    const kept = new EInvoices(this.source).find()?.file;
    const eNames = (isKept: boolean) =>
      eFiles.filter(({ file }) => (file === kept) === isKept).map(({ file, kind }) => `the ${kind} ${file}`);
    const attached = others.map((file) => file && `“${file}”`);
    return { lost: [...eNames(false), ...countedPhrase("attached file", attached)], keptAlone: eNames(true) };
  }

  comments(): string[] {
    const texts = this.annotations.filter((one) => {
      const subtype = this.subtype(one);
      return markup.has(subtype) && (this.words(one, "Contents").trim() !== "" || one.has(name("RC")));
    });
    const unseen = this.annotations.filter((one) => undrawn.has(this.subtype(one)) && !this.at(one, "AP", "N"));
    return [
      ...countedPhrase(
        "comment",
        texts.map(() => ""),
      ),
      ...countedPhrase(
        "note that only some programs show",
        unseen.map(() => ""),
        { plural: "notes that only some programs show" },
      ),
    ];
  }

  redactions(): string[] {
    const marks = this.annotations.filter((one) => this.subtype(one) === "Redact");
    return marks.length > 0 ? ["redactions that are marked, but not applied"] : [];
  }

  media(): string[] {
    return this.annotations.some((one) => media.has(this.subtype(one))) ? ["a film, a sound or a model"] : [];
  }

  hasFields(): boolean {
    return this.formFields().some((field) => {
      const flags = this.number(field, "Ff");
      const type = this.at(field, "FT");
      const isField = type === name("Tx") || type === name("Ch") || (type === name("Btn") && !(flags & pushButton));
      return isField && !(flags & readOnly);
    });
  }

  layers(): string[] {
    const config = this.at(this.source.catalog, "OCProperties", "D");
    const off = this.at(config, "OFF");
    const isHidden = (off instanceof PDFArray && off.size() > 0) || this.at(config, "BaseState") === name("OFF");
    return isHidden ? ["hidden layers"] : [];
  }

  /** Colours that presses and some programs mix with those below (8.6.7). */
  overprints(): string[] {
    const forms = this.drawings().map((one) => this.at(one, "Resources"));
    const lists = [...this.resources, ...forms].map((resources) => this.at(resources, "ExtGState"));
    const states = [...new Set(lists)].flatMap((list) => (list instanceof PDFDict ? list.values() : []));
    const isOn = states.slice(0, maxVisited).some((state) => {
      const dict = this.source.look(state);
      return ["OP", "op"].some((key) => this.at(dict, key) === PDFBool.True);
    });
    return isOn ? ["overprinted colours"] : [];
  }

  async structure(): Promise<Beside> {
    const { catalog, info } = this.source;
    const file = new FileClaims(this.source);
    const { archive, universal } = file.claims();
    const kept = await file.keptClaims(this.pages.length);
    const bookmarks = this.below([this.at(catalog, "Outlines", "First")], "First", "Next");
    const actions = this.actionsOf([catalog, ...this.pages, ...this.annotations, ...this.formFields(), ...bookmarks]);
    const isAddress = (one: PDFDict) => this.at(one, "A", "S") === name("URI");
    const links = this.annotations.filter((one) => this.subtype(one) === "Link" && isAddress(one));
    const hasLostLinks = links.some((one) => !webAddressOf(one, (value) => this.source.look(value)));
    const isForPresses = /GTS_PDFXVersion/.test(this.metadata()) || (info && this.words(info, "GTS_PDFXVersion"));
    const hasOthers = [...actions].some((action) => !unmissedActions.has(action));
    const labels = this.below([this.at(catalog, "PageLabels")], "Kids", "Nums");
    const hasLabels = labels.some(
      (one) => this.words(one, "P") || this.number(one, "St") > 1 || (this.at(one, "S") ?? name("D")) !== name("D"),
    );
    const hasScripts = actions.has("JavaScript") || this.at(catalog, "Names", "JavaScript");
    const things = [
      {
        is: this.at(catalog, "StructTreeRoot", "K"),
        what: "tags for screen readers",
        isKept: await tagsOf(this.source),
      },
      { is: hasLabels, what: "page numbers of its own", isKept: true },
      { is: hasScripts, what: "scripts", isKept: false },
      { is: hasOthers, what: "actions that open files or send forms", isKept: false },
      { is: hasLostLinks, what: "links that lead neither to its pages nor to the web", isKept: false },
      { is: bookmarks.some(isAddress), what: "bookmarks that lead to no page of it", isKept: false },
      { is: bookmarks.length > maxBookmarks, what: `more than ${maxBookmarks} bookmarks`, isKept: false },
      { is: isForPresses, what: "the form of PDF/X", isKept: false },
      { is: archive, what: `the form of PDF/A-${archive?.part}`, isKept: kept.archive },
      { is: universal, what: `the form of PDF/UA-${universal}`, isKept: kept.accessible },
    ].filter(({ is }) => Boolean(is));
    const namesOf = (isKept: boolean) => things.filter((one) => Boolean(one.isKept) === isKept).map(({ what }) => what);
    return { lost: namesOf(false), keptAlone: namesOf(true) };
  }

  /** All embedded files, of the document and of pages and annotations. */
  private embedded(): PDFDict[] {
    const { catalog } = this.source;
    const roots = [
      this.at(catalog, "Names", "EmbeddedFiles"),
      this.at(catalog, "AF"),
      ...this.pages.map((page) => page.get(name("AF"))),
      ...this.annotations.flatMap((one) => [one.get(name("FS")), one.get(name("AF"))]),
      ...this.drawings().map((one) => one.get(name("AF"))),
    ];
    return this.below(roots, "Kids", "Names").filter((one) => this.at(one, "EF") instanceof PDFDict);
  }

  /** Pictures and forms on the pages. */
  private drawings(): PDFDict[] {
    const lists = this.resources.map((resources) => this.at(resources, "XObject"));
    const all = [...new Set(lists)].flatMap((list) => (list instanceof PDFDict ? list.values() : []));
    return all.slice(0, maxVisited).flatMap((one) => {
      const drawing = this.source.look(one);
      return drawing instanceof PDFRawStream ? [drawing.dict] : [];
    });
  }

  /** The kinds of the actions below some dictionaries (ISO 32000-2, table 201). */
  private actionsOf(holders: PDFDict[]): Set<string> {
    const starts = holders.flatMap((one) => ["OpenAction", "A", "AA"].map((key) => one.get(name(key))));
    const kinds = this.below(starts, ...actionKeys).map((one) => this.at(one, "S"));
    return new Set(kinds.flatMap((kind) => (kind instanceof PDFName ? kind.decodeText() : [])));
  }

  private metadata(): string {
    return this.text(this.at(this.source.catalog, "Metadata"));
  }

  private formFields(): PDFDict[] {
    const widgets = this.annotations.filter((one) => this.subtype(one) === "Widget");
    return this.below([this.at(this.source.catalog, "AcroForm", "Fields"), ...widgets], "Kids", "Parent");
  }
}
