import { PDFName } from "@cantoo/pdf-lib";
import { cleanName } from "../notes/notes.ts";
import { PdfEntries } from "../pdf/pdf-entries.ts";
import { pagesOf } from "../pdf/pdf-pages.ts";
import { outputIntentsOf } from "./output-intents.ts";
import { tagsOf } from "./tags.ts";

const name = (text: string) => PDFName.of(text);
const maxTitle = 300;

/** The standards that a file says it meets, and of an e-invoice the profile. */
export type Claims = {
  archive?: { part: string; conformance: string } | undefined;
  /** PDF/UA-1. */
  accessible: boolean;
  invoice?: { namespace: string; values: Record<string, string> } | undefined;
};

const invoiceKeys = ["DocumentType", "DocumentFileName", "Version", "ConformanceLevel"];
const invoiceSpace = /["'](urn:(?:factur-x|zugferd|ferd):pdfa:CrossIndustryDocument:[\w:.]{1,40}#)["']/;

/** What a file says of itself, by its XMP metadata. */
export class FileClaims extends PdfEntries {
  /** As it is written. */
  claims(): Claims & { universal: string } {
    const xmp = this.text(this.at(this.source.catalog, "Metadata"));
    const valueOf = (key: string) =>
      new RegExp(`\\b${key}\\s*(?:=\\s*["']|>)\\s*([\\w .:+-]{1,100})`).exec(xmp)?.[1]?.trim() ?? "";
    const part = valueOf("pdfaid:part");
    const space = invoiceSpace.exec(xmp)?.[1];
    const pairs = invoiceKeys.map((key) => [key, valueOf(`\\w{1,20}:${key}`)] as const);
    const universal = valueOf("pdfuaid:part");
    return {
      archive: part ? { part, conformance: valueOf("pdfaid:conformance").toUpperCase() } : undefined,
      universal,
      accessible: universal === "1",
      invoice: space ? { namespace: space, values: Object.fromEntries(pairs.filter(([, value]) => value)) } : undefined,
    };
  }

  /** Those that are still true of a sealed PDF of this file alone. */
  async keptClaims(pages: number): Promise<Claims> {
    const { archive, accessible, invoice } = this.claims();
    const isTagged = (await tagsOf(this.source)) !== undefined;
    const isKnown = archive && /^[1-3]$/.test(archive.part) && /^[ABU]$/.test(archive.conformance);
    const colours = isKnown ? await outputIntentsOf(this.source) : undefined;
    // The one that is added otherwise is newer than PDF/A-1.
    const isArchive = isKnown && colours && (archive.part !== "1" || colours.profile);
    const conformance = archive?.conformance === "A" && !isTagged ? "B" : archive?.conformance;
    return {
      archive: isArchive ? { part: archive.part, conformance: conformance! } : undefined,
      accessible: accessible && isTagged && this.title() !== "" && this.hasLinksAlone(pages),
      invoice,
    };
  }

  title(): string {
    const { info } = this.source;
    return info ? cleanName(this.words(info, "Title"), maxTitle) : "";
  }

  /** Other annotations lose what describes them. */
  private hasLinksAlone(pages: number) {
    const lists = pagesOf(this.source, pages).map(({ node }) => node.get(name("Annots")));
    return this.below(lists).every((one) => ["Link", "Popup"].includes(this.subtype(one)));
  }
}
