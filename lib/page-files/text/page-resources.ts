import { PDFArray, PDFDict, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import type { Operand } from "./content-tokens.ts";
import { type PageFont, readFont } from "./page-fonts.ts";
import type { Resolve } from "../pdf/pdf-reader.ts";

/** The resources that a page's content refers to by names (ISO 32000-2, 7.8.3), as far as text needs it. */

const name = (text: string) => PDFName.of(text);

export class PageResources {
  private readonly dict: PDFDict | undefined;
  private readonly look: Resolve;
  private readonly fonts = new Map<PDFDict, PageFont | undefined>();

  constructor(dict: PDFDict | undefined, look: Resolve) {
    [this.dict, this.look] = [dict, look];
  }

  font(operand: Operand | undefined): PageFont | undefined {
    const resource = this.find("Font", operand);
    return resource && this.fontOf(resource.dict);
  }

  /** A layer's name as it is written. */
  layer(operand: Operand | undefined): string | undefined {
    return this.find("Properties", operand)?.called;
  }

  /** The font that a graphics state chooses, if any, and the operator that sets its opacity alone. */
  graphicsState(operand: Operand | undefined) {
    const resource = this.find("ExtGState", operand);
    if (!resource) return {};
    const font = this.look(resource.dict.get(name("Font")));
    const mask = this.look(resource.dict.get(name("SMask")));
    // A mask is placed by the matrix of its moment.
    const isSimple = !(font || mask instanceof PDFDict) && resource.dict.has(name("ca"));
    const [dict, size] = font instanceof PDFArray ? [this.look(font.get(0)), this.look(font.get(1))] : [];
    return {
      ...(isSimple && { alpha: `${resource.called} gs` }),
      ...(dict instanceof PDFDict && {
        font: this.fontOf(dict),
        size: size instanceof PDFNumber ? size.asNumber() : 0,
      }),
    };
  }

  private fontOf(dict: PDFDict) {
    if (!this.fonts.has(dict)) this.fonts.set(dict, readFont(dict, this.look));
    return this.fonts.get(dict);
  }

  private find(kind: string, operand: Operand | undefined) {
    const list = this.look(this.dict?.get(name(kind)));
    if (!(list instanceof PDFDict) || typeof operand !== "object" || !("name" in operand)) return undefined;
    const dict = this.look(list.get(name(operand.name)));
    return dict instanceof PDFDict ? { dict: dict, called: name(operand.name).asString() } : undefined;
  }
}
