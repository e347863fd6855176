import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { embedFont } from "../fonts/embedded-font.ts";
import { PdfFile } from "../pdf/pdf-file.ts";
import type { SignatureForm, Space } from "../pdf/pdf-signature.ts";
import { type ReportMap, ReportPages, type ReportTable, sheet } from "./report-pages.ts";
import { reportFonts } from "./report-text.ts";

/** The content of a report, in its order. */
export type ReportSection = {
  heading: string;
  text?: string | undefined;
  facts?: [label: string, value: string][] | undefined;
  map?: ReportMap | undefined;
  table?: ReportTable | undefined;
};

export type Report = {
  title: string;
  lead: string;
  sections: ReportSection[];
  /** At the foot of every page. */
  foot: string[];
  /** The same as data, attached: its texts are exact. */
  attachment: { name: string; content: string };
};

const compress = promisify(deflate);

/** Writes a report as PDF to a path, and returns the space for its signature. */
export async function writeReport(report: Report, to: string, signature: SignatureForm): Promise<Space> {
  const pages = pagesOf(report);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(report.title);
  pdf.setLanguage("en-GB");
  const { name, content } = report.attachment;
  await pdf.attach(Buffer.from(content), name, { mimeType: "application/json", creationDate: new Date(signature.at) });
  const Font = { Bold: embedFont(pdf, reportFonts.Bold), Plain: embedFont(pdf, reportFonts.Plain) };
  const written = await open(to, "w");
  try {
    const file = await PdfFile.begin(pdf, written);
    for (const operators of pages) {
      const page = pdf.addPage([sheet.width, sheet.height]);
      const bytes = await compress(Buffer.from(operators.join("\n"), "latin1"));
      const stream = PDFRawStream.of(pdf.context.obj({ Filter: "FlateDecode" }), bytes);
      page.node.set(PDFName.of("Contents"), pdf.context.register(stream));
      page.node.set(PDFName.of("Resources"), pdf.context.obj({ Font }));
    }
    return (await file.end({ signature })).signature!;
  } finally {
    await written.close();
  }
}

function pagesOf({ title, lead, sections, foot, attachment }: Report) {
  const pages = new ReportPages();
  pages.title(title);
  pages.paragraph(lead);
  for (const { heading, text, facts, map, table } of sections) {
    pages.heading(heading, Boolean(map));
    if (text) pages.paragraph(text);
    if (facts) pages.facts(facts);
    if (map) pages.map(map);
    if (table) pages.table(table);
  }
  const { replaced } = pages.text;
  if (replaced > 0) {
    const characters = replaced === 1 ? "a character" : `${replaced} characters`;
    pages.paragraph(
      `“?” stands for ${characters} that this file’s font lacks. The attached ${attachment.name} has the exact texts.`,
    );
  }
  pages.foot(foot);
  return pages.pages;
}
