import { type PDFDocument, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";

/** Fonts embedded in the PDF: other programs replace missing ones, and the pages look changed. */

/** A TrueType font in thousandths of its size, as `tools/font.py` writes it. */
export type FontFile = {
  name: string;
  box: number[];
  ascent: number;
  descent: number;
  capHeight: number;
  /** Of the characters 32 to 255 of Windows-1252. */
  widths: number[];
  /** The length of the file, and its zlib stream as Base64. */
  bytes: number;
  deflated: string;
};

const firstCharacter = 32;
/** `Nonsymbolic`: its characters are those of an encoding that all readers know. */
const flags = 1 << 5;
/** Required, and used for nothing but replacing the font. */
const stemWidth = 80;

/** Adds a font for texts in Windows-1252 to a document, in place of one if that is given. */
export function embedFont({ context }: PDFDocument, font: FontFile, ref: PDFRef = context.nextRef()): PDFRef {
  // Six letters say that the file has a part of the glyphs alone.
  const name = `SLDESK+${font.name}`;
  const file = context.obj({ Filter: "FlateDecode", Length1: font.bytes });
  const descriptor = context.obj({
    Type: "FontDescriptor",
    FontName: name,
    Flags: flags,
    FontBBox: font.box,
    ItalicAngle: 0,
    Ascent: font.ascent,
    Descent: font.descent,
    CapHeight: font.capHeight,
    StemV: stemWidth,
    FontFile2: context.register(PDFRawStream.of(file, Buffer.from(font.deflated, "base64"))),
  });
  const dictionary = context.obj({
    Type: "Font",
    Subtype: "TrueType",
    BaseFont: name,
    FirstChar: firstCharacter,
    LastChar: firstCharacter + font.widths.length - 1,
    Widths: font.widths,
    Encoding: "WinAnsiEncoding",
    FontDescriptor: context.register(descriptor),
  });
  context.assign(ref, dictionary);
  return ref;
}

/** How wide a text in Windows-1252 is at a size. */
export const widthOf = (text: Uint8Array, font: FontFile, size: number): number =>
  text.reduce((width, character) => width + (font.widths[character - firstCharacter] ?? 0), 0) * (size / 1000);
