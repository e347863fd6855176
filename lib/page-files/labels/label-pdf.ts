import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { embedFont } from "../fonts/embedded-font.ts";
import courier from "../fonts/courier-prime-bold.json" with { type: "json" };
import bold from "../fonts/hanken-grotesk-bold.json" with { type: "json" };
import plain from "../fonts/hanken-grotesk-regular.json" with { type: "json" };
import {
  type Label,
  layout,
  minModuleMillimetres,
  pointsPerMillimetre,
  type Sheet,
  type TextBox,
} from "./label-layout.ts";
import { byteOf, type LabelFont, linesOf, type LabelText } from "./label-text.ts";
import { qrModules, quietModules } from "../seal/qr.ts";
import { darkRuns } from "../seal/stamp-content.ts";
import { UsedLetters } from "../fonts/used-letters.ts";

const compress = promisify(deflate);

/** Labels to print: the first one is the `start`th of its sheet. */
export type LabelsToPrint = { labels: Label[]; sheet: Sheet; start: number };

/** Writes label sheets as PDF to a path. */
export async function writeLabels({ labels, sheet, start }: LabelsToPrint, to: string): Promise<void> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle("Labels");
  const Font = { Bold: embedFont(pdf, bold), Plain: embedFont(pdf, plain), Code: embedFont(pdf, courier) };
  const other = new UsedLetters();
  const Other = pdf.context.nextRef();
  let hasOther = false;
  const encode: Encode = (font, text) => {
    if (font !== "Other") return `<${Buffer.from([...text].map((character) => byteOf(character)!)).toString("hex")}>`;
    hasOther = true;
    return other.encode(text);
  };
  const perSheet = sheet.columns * sheet.rows;
  for (let first = 1 - start; first < labels.length; first += perSheet) {
    const contents: string[] = [];
    for (let n = Math.max(first, 0); n < Math.min(first + perSheet, labels.length); n++) {
      contents.push(labelContent(labels[n]!, { sheet, n: n - first, encode }));
    }
    const page = pdf.addPage([sheet.pageWidth * pointsPerMillimetre, sheet.pageHeight * pointsPerMillimetre]);
    const bytes = await compress(Buffer.from(contents.join(""), "latin1"));
    const stream = PDFRawStream.of(pdf.context.obj({ Filter: "FlateDecode" }), bytes);
    page.node.set(PDFName.of("Contents"), pdf.context.register(stream));
    page.node.set(PDFName.of("Resources"), pdf.context.obj({ Font: hasOther ? { ...Font, Other } : Font }));
  }
  if (hasOther) other.embed(pdf, Other);
  await writeFile(to, await pdf.save());
}

/** A text as the operand of a text operator. */
type Encode = (font: LabelFont, text: string) => string;

/** The operators that draw a label at the place `n` of its sheet, from 0, clipped to its edges. */
function labelContent(label: Label, { sheet, n, encode }: { sheet: Sheet; n: number; encode: Encode }) {
  const { pageHeight, labelWidth, labelHeight, columns } = sheet;
  const left = sheet.marginLeft + (n % columns) * sheet.pitchX;
  const bottom = pageHeight - sheet.marginTop - Math.floor(n / columns) * sheet.pitchY - labelHeight;
  const [width, height] = [labelWidth * pointsPerMillimetre, labelHeight * pointsPerMillimetre];
  const { size, dark } = qrModules(label.address);
  const modules = size + 2 * quietModules;
  const { side, text } = layout(labelWidth, labelHeight, modules * minModuleMillimetres);
  const module = (side * pointsPerMillimetre) / modules;
  const runs = Array.from({ length: size }, (_, row) =>
    darkRuns(size, (column) => dark(row, column)).map(([from, length]) => `${from} ${size - 1 - row} ${length} 1 re\n`),
  );
  const [x, y] = [text.besideCode ? 0 : (width - side * pointsPerMillimetre) / 2, height - side * pointsPerMillimetre];
  const codeY = text.besideCode ? y / 2 : y;
  return (
    `q 1 0 0 1 ${number(left * pointsPerMillimetre)} ${number(bottom * pointsPerMillimetre)} cm\n` +
    `0 0 ${number(width)} ${number(height)} re W n 0 g\n` +
    `q ${number(module)} 0 0 ${number(module)} ${number(x + quietModules * module)} ${number(codeY + quietModules * module)} cm\n` +
    `${runs.flat().join("")}f Q\n${textContent(label, text, encode)}Q\n`
  );
}

function textContent(label: LabelText, box: TextBox, encode: Encode) {
  const lines = linesOf(label, box);
  const used = lines.reduce((sum, { leading }) => sum + leading, 0);
  let y = box.top - (box.besideCode ? (box.height - used) / 2 : 0);
  return lines
    .map(({ size, leading, letters }) => {
      y -= leading;
      const runs: { font: LabelFont; text: string }[] = [];
      for (const { font, character } of letters) {
        const last = runs.at(-1);
        if (last?.font === font) last.text += character;
        else runs.push({ font, text: character });
      }
      const operators = runs.map(({ font, text }) => `/${font} ${number(size)} Tf ${encode(font, text)} Tj`);
      return `BT ${number(box.x)} ${number(y + size * 0.25)} Td ${operators.join(" ")} ET\n`;
    })
    .join("");
}

const number = (value: number) => String(Number(value.toFixed(4)));
