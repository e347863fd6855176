import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { PDFDict, PDFDocument, type PDFImage, PDFName, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { embedFont } from "../fonts/embedded-font.ts";
import courier from "../fonts/courier-prime-bold.json" with { type: "json" };
import bold from "../fonts/hanken-grotesk-bold.json" with { type: "json" };
import plain from "../fonts/hanken-grotesk-regular.json" with { type: "json" };
import {
  type Label,
  layout,
  pointsPerMillimetre,
  quietZone,
  type Sheet,
  smallestSide,
  type Symbology,
  type TextBox,
} from "./label-layout.ts";
import { dataMatrix } from "./data-matrix.ts";
import { byteOf, type LabelFont, type LabelText, type Line, linesOf } from "./label-text.ts";
import { drawScript } from "./script-text.ts";
import { qrModules } from "../seal/qr.ts";
import { darkRuns } from "../seal/stamp-content.ts";
import { UsedLetters } from "../fonts/used-letters.ts";

const compress = promisify(deflate);

/** Labels to print: the first one is the `start`th of its sheet. `logo` is the path of a picture. */
export type LabelsToPrint = {
  labels: Label[];
  sheet: Sheet;
  start: number;
  symbology?: Symbology | undefined;
  logo?: string | undefined;
};

/** Writes label sheets as PDF to a path. */
export async function writeLabels({ labels, sheet, start, symbology = "qr", logo }: LabelsToPrint, to: string) {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle("Labels");
  const drawing = new LabelDrawing(pdf, { sheet, symbology, logo: logo ? await embedLogo(pdf, logo) : undefined });
  const perSheet = sheet.columns * sheet.rows;
  for (let first = 1 - start; first < labels.length; first += perSheet) {
    const contents: string[] = [];
    for (let n = Math.max(first, 0); n < Math.min(first + perSheet, labels.length); n++) {
      contents.push(await drawing.label(labels[n]!, n - first));
    }
    const page = pdf.addPage([sheet.pageWidth * pointsPerMillimetre, sheet.pageHeight * pointsPerMillimetre]);
    const bytes = await compress(Buffer.from(contents.join(""), "latin1"));
    const stream = PDFRawStream.of(pdf.context.obj({ Filter: "FlateDecode" }), bytes);
    page.node.set(PDFName.of("Contents"), pdf.context.register(stream));
    page.node.set(PDFName.of("Resources"), drawing.resources);
  }
  drawing.end();
  await writeFile(to, await pdf.save());
}

async function embedLogo(pdf: PDFDocument, path: string) {
  const picture = await sharp(path).flatten({ background: "white" }).jpeg({ quality: 90 }).toBuffer();
  return pdf.embedJpg(picture);
}

type Look = { sheet: Sheet; symbology: Symbology; logo: PDFImage | undefined };

/** Draws labels as operators, and has what they refer to. */
class LabelDrawing {
  readonly resources: PDFDict;
  private readonly other = new UsedLetters();
  private readonly otherRef: PDFRef;
  private readonly pictures: PDFDict;
  private readonly drawn = new Map<string, Promise<{ name: string; width: number; height: number }>>();
  private hasOther = false;
  private readonly pdf: PDFDocument;
  private readonly look: Look;

  constructor(pdf: PDFDocument, look: Look) {
    [this.pdf, this.look] = [pdf, look];
    this.otherRef = pdf.context.nextRef();
    const fonts = { Bold: embedFont(pdf, bold), Plain: embedFont(pdf, plain), Code: embedFont(pdf, courier) };
    this.pictures = pdf.context.obj(look.logo ? { Logo: look.logo.ref } : {});
    this.resources = pdf.context.obj({ Font: fonts, XObject: this.pictures });
  }

  /** Adds the font of other alphabets, if it is used. */
  end() {
    if (!this.hasOther) return;
    this.other.embed(this.pdf, this.otherRef);
    this.resources.lookup(PDFName.of("Font"), PDFDict).set(PDFName.of("Other"), this.otherRef);
  }

  /** The operators that draw a label at the place `n` of its sheet, from 0, clipped to its edges. */
  async label(label: Label, n: number) {
    const { sheet, symbology, logo } = this.look;
    const { pageHeight, labelWidth, labelHeight, columns } = sheet;
    const left = sheet.marginLeft + (n % columns) * sheet.pitchX;
    const bottom = pageHeight - sheet.marginTop - Math.floor(n / columns) * sheet.pitchY - labelHeight;
    const [width, height] = [labelWidth * pointsPerMillimetre, labelHeight * pointsPerMillimetre];
    const { size, dark } = symbology === "qr" ? qrModules(label.address) : await dataMatrix(label.address);
    const quiet = quietZone(symbology);
    const modules = size + 2 * quiet;
    const boxes = layout(labelWidth, labelHeight, smallestSide(label.address, symbology), Boolean(logo));
    const { text } = boxes;
    const side = boxes.side * pointsPerMillimetre;
    const module = side / modules;
    const runs = Array.from({ length: size }, (_, row) =>
      darkRuns(size, (column) => dark(row, column)).map(
        ([from, length]) => `${from} ${size - 1 - row} ${length} 1 re\n`,
      ),
    );
    const [x, y] = [text.besideCode ? 0 : (width - side) / 2, height - side];
    const codeY = text.besideCode ? y / 2 : y;
    return (
      `q 1 0 0 1 ${number(left * pointsPerMillimetre)} ${number(bottom * pointsPerMillimetre)} cm\n` +
      `0 0 ${number(width)} ${number(height)} re W n 0 g\n` +
      `q ${number(module)} 0 0 ${number(module)} ${number(x + quiet * module)} ${number(codeY + quiet * module)} cm\n` +
      `${runs.flat().join("")}f Q\n${logoContent(logo, boxes)}${await this.text(label, text)}Q\n`
    );
  }

  private async text(label: LabelText, box: TextBox) {
    const lines = linesOf(label, box);
    const used = lines.reduce((sum, { leading }) => sum + leading, 0);
    let y = box.top - (box.besideCode ? (box.height - used) / 2 : 0);
    const operators: string[] = [];
    for (const line of lines) {
      y -= line.leading;
      operators.push(line.script === undefined ? this.letters(line, box.x, y) : await this.script(line, box, y));
    }
    return operators.join("");
  }

  private letters({ size, letters }: Line, x: number, y: number) {
    const runs: { font: LabelFont; text: string }[] = [];
    for (const { font, character } of letters) {
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    const operators = runs.map(({ font, text }) => `/${font} ${number(size)} Tf ${this.encode(font, text)} Tj`);
    return `BT ${number(x)} ${number(y + size * 0.25)} Td ${operators.join(" ")} ET\n`;
  }

  /** A text as the operand of a text operator. */
  private encode(font: LabelFont, text: string) {
    if (font !== "Other") return `<${Buffer.from([...text].map((character) => byteOf(character)!)).toString("hex")}>`;
    this.hasOther = true;
    return this.other.encode(text);
  }

  private async script({ script, size, leading }: Line, box: TextBox, y: number) {
    const room = { width: box.width, height: leading };
    const key = `${size} ${room.width} ${room.height} ${script}`;
    if (!this.drawn.has(key)) this.drawn.set(key, this.embedScript(script!, size, room));
    const { name, width, height } = await this.drawn.get(key)!;
    return `q ${number(width)} 0 0 ${number(height)} ${number(box.x)} ${number(y + leading - height)} cm /${name} Do Q\n`;
  }

  private async embedScript(text: string, size: number, room: { width: number; height: number }) {
    const { data, dots, width, height } = await drawScript(text, size, room);
    const about = { Type: "XObject", Subtype: "Image", ColorSpace: "DeviceGray", BitsPerComponent: 8 };
    const image = { ...about, Width: dots.width, Height: dots.height, Filter: "FlateDecode" };
    const ref = this.pdf.context.register(PDFRawStream.of(this.pdf.context.obj(image), await compress(data)));
    const name = `Text${this.drawn.size}`;
    this.pictures.set(PDFName.of(name), ref);
    return { name, width, height };
  }
}

function logoContent(logo: PDFImage | undefined, { logo: box, text }: ReturnType<typeof layout>) {
  if (!logo || !box) return "";
  const { width, height } = logo.scaleToFit(text.width, box.height);
  const x = text.besideCode ? text.x : text.x + (text.width - width) / 2;
  return `q ${number(width)} 0 0 ${number(height)} ${number(x)} ${number(box.top - height)} cm /Logo Do Q\n`;
}

const number = (value: number) => String(Number(value.toFixed(4)));
