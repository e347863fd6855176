import { type PDFDocument, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import { tooMuchMemory } from "../file-types.ts";
import type { CopiedFile } from "../pdf/clean.ts";
import { systemCodeOf } from "../refusals.ts";
import { addBookmarks, type Bookmark, bookmarksOf } from "./bookmarks.ts";
import { type Claims, FileClaims } from "./claims.ts";
import { addEInvoice, type EInvoice, EInvoices } from "./e-invoice.ts";
import { addOutputIntent, keptOutputIntents, outputIntentsOf } from "./output-intents.ts";
import { addPageLabels, type PageLabel, PageLabels } from "./page-labels.ts";
import { keptTags } from "./tags.ts";
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

  /** Copies what belongs to copied pages; nothing if that fails or is over budget, as the pages are the document. */
  async copy(file: CopiedFile): Promise<void> {
    try {
      await this.copyAll(file);
    } catch (error) {
      if (error instanceof Error && (error.message === tooMuchMemory || systemCodeOf(error))) throw error;
    }
  }

  private async copyAll({ source, copier, destinations, pages, isWhole }: CopiedFile) {
    const { target } = this;
    const file = new FileClaims(source);
    const ofFile = { title: file.title(), bookmarks: bookmarksOf(source, copier, destinations) };
    // A page that became a picture has no tags, and may have other colours.
    if (!this.isAlone || !isWhole) {
      copier.finish();
      this.ofFile = ofFile;
      return;
    }
    const intents = await outputIntentsOf(source);
    const entries: Record<string, PDFObject> = {
      ...(intents && keptOutputIntents(intents, copier, target)),
      ...(await keptTags(source, copier, target)),
    };
    const labels = new PageLabels(source).read(pages);
    const invoice = new EInvoices(source).find();
    const claims = await file.keptClaims(pages);
    copier.finish();
    // Nothing fails from here on.
    for (const [key, value] of Object.entries(entries)) target.catalog.set(PDFName.of(key), value);
    Object.assign(this, { ofFile, labels, invoice, claims: invoice ? claims : { ...claims, invoice: undefined } });
  }

  /** Called after a file's pages, the first of which is `page` (from 0), were added. */
  endFile(name: string, page: number): void {
    const { title, bookmarks } = this.ofFile;
    if (this.isAlone) {
      this.bookmarks.push(...bookmarks);
      return;
    }
    this.ofFile = nothing;
    const label = title || name.replace(/\.\w{1,5}$/, "");
    const place = this.target.context.obj([this.target.getPage(page).ref, "Fit"]);
    if (label) this.bookmarks.push({ title: label, place, isOpen: false, below: bookmarks });
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
