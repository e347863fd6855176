import { writeFile } from "node:fs/promises";
import { PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { adoptPageImage } from "#lib/page-files/derived-files.ts";
import { embedFont, widthOf } from "#lib/page-files/fonts/embedded-font.ts";
import { companyRequester } from "../files/requesters.ts";
import type { Services } from "../services.ts";
import { newTemplateFolder, templateKey } from "../templates/keys.ts";
import { fold } from "#lib/text.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import boldFile from "#lib/page-files/fonts/hanken-grotesk-bold.json" with { type: "json" };
import plainFile from "#lib/page-files/fonts/hanken-grotesk-regular.json" with { type: "json" };

/** The sample company's template, whose columns `certificates.csv` has. */

const name = "Training certificate";
const page: [number, number] = [841.89, 595.28];
const ink = rgb(0.1, 0.12, 0.16);
const grey = rgb(0.45, 0.48, 0.53);

/** A certificate with form fields for a table's columns. */
async function certificateTemplate(company: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const sheet = pdf.addPage(page);
  const write = (text: string, y: number, size: number, isBold = false) => {
    const [font, file] = isBold ? [bold, boldFile] : [plain, plainFile];
    const x = (page[0] - widthOf(font.encodeText(text).asBytes(), file, size)) / 2;
    sheet.drawText(text, { x, y, size, font, color: isBold ? ink : grey });
  };
  sheet.drawRectangle({ x: 36, y: 36, width: page[0] - 72, height: page[1] - 72, borderWidth: 1.5, borderColor: grey });
  write(company, 500, 14);
  write("Certificate of training", 440, 34, true);
  write("This certifies that", 395, 13);
  write("has completed the course", 300, 13);
  const form = pdf.getForm();
  const field = (column: string, y: number, size: number, pattern = "") => {
    const text = form.createTextField(column);
    text.addToPage(sheet, { x: 120, y, width: page[0] - 240, height: size * 1.6, borderWidth: 0, font: plain });
    text.setFontSize(size);
    text.setAlignment(1);
    if (pattern) text.setText(pattern);
  };
  field("name", 330, 28);
  field("course", 250, 20);
  field("details", 190, 13, "Held in {{place}} on {{day}}");
  const grade = form.createDropdown("result");
  grade.addOptions(["Passed", "Passed with merit", "Passed with distinction"]);
  grade.addToPage(sheet, { x: 320, y: 130, width: 202, height: 24, borderWidth: 0, font: plain });
  grade.setFontSize(13);
  await pdf.flush();
  embedFont(pdf, plainFile, plain.ref);
  embedFont(pdf, boldFile, bold.ref);
  return pdf.save({ updateFieldAppearances: false });
}

/** Adds the template to a company as if a user had. */
export async function seedTemplate({ db, files, pageFiles, now }: Services, companyId: number, company: string) {
  const content = await certificateTemplate(company);
  const key = templateKey(newTemplateFolder());
  const { pages, columns } = await withWorkFile(files, (path) =>
    withWorkFile(files, async (image) => {
      await writeFile(path, content);
      const template = await pageFiles.work(companyRequester(companyId, "background"), (jobs) =>
        jobs.readTemplate({ path, image }),
      );
      if ("refused" in template) throw new Error(`The sample template ${template.refused}`);
      await files.adopt(key, path);
      await adoptPageImage(files, key, image);
      return template;
    }),
  );
  const at = now().toISOString();
  const row = { name, name_key: fold(name), file_key: key, bytes: content.length, pages };
  const columnsOfRow = { columns: JSON.stringify(columns), created_at: at, changed_at: at };
  await db
    .insertInto("templates")
    .values({ ...row, ...columnsOfRow, company_id: companyId })
    .execute();
}
