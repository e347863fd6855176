import type { PDFDocument } from "@cantoo/pdf-lib";
import type { CopiedFile } from "../pdf/clean.ts";
import { addBookmarks, type Bookmark, bookmarksOf } from "./bookmarks.ts";
import { type Claims, FileClaims } from "./claims.ts";
import { addEInvoice, type EInvoice, EInvoices } from "./e-invoice.ts";
import { addOutputIntent, keepOutputIntents, outputIntentsOf } from "./output-intents.ts";
import { addPageLabels, type PageLabel, PageLabels } from "./page-labels.ts";
import { keepTags } from "./tags.ts";
import { addMetadata } from "./xmp.ts";

type OfFile = { title: string; bookmarks: Bookmark[] };
const nothing: OfFile = { title: "", bookmarks: [] };
const noClaims: Claims = { archive: undefined, accessible: false, invoice: undefined };

/** What a document keeps of its files beside their pages: of a single one nearly all, of several title and bookmarks. */
export class KeptBeside {
  private readonly target: PDFDocument;
  private readonly isAlone: boolean;
  private readonly bookmarks: Bookmark[] = [];
  private ofFile = nothing;
  private labels: PageLabel[] = [];
  private invoice: EInvoice | undefined;
  private claims = noClaims;

  constructor(target: PDFDocument, isAlone: boolean) {
    this.target = target;
    this.isAlone = isAlone;
  }

  /** Copies what belongs to copied pages; throws as their copier does, and keeps nothing then. */
  async copy({ source, copier, destinations, pages, isWhole }: CopiedFile): Promise<void> {
    const file = new FileClaims(source);
    const ofFile = { title: file.title(), bookmarks: bookmarksOf(source, copier, destinations) };
    // A page that became a picture has no tags, and may have other colours.
    if (this.isAlone && isWhole) {
      const intents = await outputIntentsOf(source);
      if (intents) keepOutputIntents(intents, copier, this.target);
      keepTags(source, copier, this.target);
      this.labels = new PageLabels(source).read(pages);
      this.invoice = new EInvoices(source).find();
      this.claims = await file.kept(pages);
      if (!this.invoice) this.claims.invoice = undefined;
    }
    copier.drain();
    this.ofFile = ofFile;
  }

  /** Called after a file's pages, the first of which is `page` (from 0), were added. */
  endFile(name: string, page: number): void {
    const { title, bookmarks } = this.ofFile;
    if (this.isAlone) {
      this.bookmarks.push(...bookmarks);
      return;
    }
    this.ofFile = nothing;
    const called = title || name.replace(/\.\w{1,5}$/, "");
    const place = this.target.context.obj([this.target.getPage(page).ref, "Fit"]);
    if (called) this.bookmarks.push({ title: called, place, isOpen: false, below: bookmarks });
    else this.bookmarks.push(...bookmarks);
  }

  /** Writes it, under the title of the file or else of the document. */
  async write(documentTitle: string): Promise<void> {
    const { target, claims } = this;
    const title = (this.isAlone && this.ofFile.title) || documentTitle;
    if (title) target.setTitle(title, { showInWindowTitleBar: true });
    addBookmarks(target, this.bookmarks);
    addPageLabels(target, this.labels);
    if (this.invoice) addEInvoice(target, this.invoice);
    if (claims.archive) await addOutputIntent(target);
    addMetadata(target, title, claims);
  }
}
