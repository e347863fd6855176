import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { chromium } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { htmlOf, layouts, linesOf, type StatedDocument, statedDocuments } from "#tests/fixtures/read-documents.ts";
import { browserOptions, findBrowser } from "#tests/support/browser.ts";
import { suggestedFields } from "#provider/contract/document-options.ts";
import { readPages } from "./read-pages.ts";

/** Reading the fields of PDFs that others' programs wrote. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "readings-"))));
afterAll(() => rm(folder, { recursive: true }));

const isLatin = ({ title = "", pairs, text = [] }: StatedDocument) =>
  [title, ...text, ...pairs.flat()].every((line) => /^[\x20-\xff’“”€–]*$/.test(line));

type Printing = { document: StatedDocument; path: string };

/** The documents in each layout, as a browser prints them. */
async function printByBrowser(): Promise<Printing[]> {
  const printings: Printing[] = [];
  const browser = await chromium.launch(browserOptions());
  try {
    const page = await browser.newPage();
    for (const document of statedDocuments) {
      for (const layout of Object.keys(layouts)) {
        const path = join(folder, `${document.name} ${layout}.pdf`);
        await page.setContent(htmlOf(document, layout));
        await page.pdf({ path, format: "A4" });
        printings.push({ document, path });
      }
    }
  } finally {
    await browser.close();
  }
  return printings;
}

/** The same as sheets of a table, printed by LibreOffice. */
async function printByCalc(): Promise<Printing[]> {
  const sources = join(folder, "sheets");
  await mkdir(sources);
  for (const document of statedDocuments)
    await writeFile(join(sources, `${document.name}.html`), htmlOf(document, "lines"));
  const files = (await readdir(sources)).map((file) => join(sources, file));
  const convert = ["--headless", "--infilter=calc_HTML_WebQuery", "--convert-to", "pdf:calc_pdf_Export"];
  await run("soffice", [`-env:UserInstallation=file://${folder}/office`, ...convert, "--outdir", sources, ...files]);
  return statedDocuments.map((document) => ({ document, path: join(sources, `${document.name}.pdf`) }));
}

/** As lines of a typewriter, by groff and Ghostscript. */
async function printByGroff(document: StatedDocument): Promise<Printing> {
  const path = join(folder, `${document.name} groff`);
  await writeFile(path, [".nf", ".ft CR", ...linesOf(document)].join("\n"));
  const { stdout } = await run("groff", ["-k", "-Tps", path]);
  await writeFile(`${path}.ps`, stdout);
  await saveAgain.gs(`${path}.ps`, `${path}.pdf`);
  return { document, path: `${path}.pdf` };
}

/** The same by pdf-lib. */
async function printByLibrary(document: StatedDocument): Promise<Printing> {
  const path = join(folder, `${document.name} library.pdf`);
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Courier);
  const page = pdf.addPage();
  for (const [n, text] of linesOf(document).entries()) page.drawText(text, { x: 50, y: 780 - n * 15, size: 10, font });
  await writeFile(path, await pdf.save());
  return { document, path };
}

test.skipIf(!findBrowser() || (["soffice", "groff", "gs", "pdftocairo", "mutool", "qpdf"] as const).some(without))(
  "at least 98 of 100 values that are offered are what the documents state, and most are found",
  async () => {
    const ofBrowser = await printByBrowser();
    const latin = statedDocuments.filter(isLatin);
    const printings = [...ofBrowser, ...(await printByCalc())];
    for (const document of latin) printings.push(await printByGroff(document), await printByLibrary(document));
    const programs = Object.values(saveAgain);
    for (const [n, { document, path }] of ofBrowser.entries()) {
      if (n % 3 > 0) continue;
      const again = `${path}.again.pdf`;
      await programs[(n / 3) % programs.length]!(path, again);
      printings.push({ document, path: again });
    }
    let [right, stated] = [0, 0];
    const wrong: string[] = [];
    for (const { document, path } of printings) {
      const readings = await readPages(path, "application/pdf", { type: document.type, labels: [...suggestedFields] });
      for (const { field, values } of readings) {
        if (document.states[field] === values.join(" or ")) right += 1;
        else wrong.push(`${path.slice(folder.length + 1)}: ${field} ${values.join(" or ")}`);
      }
      stated += Object.keys(document.states).length;
    }
    expect(printings.length).toBeGreaterThanOrEqual(100);
    expect(right / (right + wrong.length), wrong.join("\n")).toBeGreaterThanOrEqual(0.98);
    expect(right / stated).toBeGreaterThan(0.8);
  },
);
