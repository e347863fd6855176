import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { pngFile } from "#tests/fixtures/files.ts";
import { readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { labelSheets, type SheetName } from "#provider/contract/label-sheets.ts";
import { labelLines, smallestSide } from "./label-layout.ts";
import { writeLabels } from "./label-pdf.ts";

const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), "sealdesk-labels-"));
afterAll(() => rm(directory, { recursive: true }));

const digits = "1234567890".repeat(26);
const labelOf = (n: number) => ({
  address: `https://sealdesk.example/v/ABCDEFGHJKMNPQR${10 + n}/${digits}`,
  number: `NM-${1000 + n}`,
  name: "Přehled smluv Łódź",
  copy: "",
  caption: "Scan to verify",
  code: `ABCDEFGHJKMNPQR${10 + n}`,
});

async function drawn(sheet: SheetName, count: number, start = 1) {
  const labels = Array.from({ length: count }, (_, n) => labelOf(n));
  const path = join(directory, `${sheet}-${count}-${start}.pdf`);
  await writeLabels({ labels, sheet: labelSheets[sheet].sheet, start }, path);
  return { path, labels };
}

test.for(["L7651", "5160", "L7163", "5164"] as const)("codes on sheet %s decode at 300 dpi", async (sheet) => {
  const { columns, rows, labelHeight } = labelSheets[sheet].sheet;
  expect(smallestSide(labelOf(0).address)).toBeLessThanOrEqual(labelHeight);
  const { path, labels } = await drawn(sheet, columns * rows);
  const prefix = path.replace(".pdf", "");
  await run("pdftoppm", ["-r", "300", "-gray", "-png", path, prefix]);
  const [picture, ...more] = (await readdir(directory)).filter(
    (name) => name.startsWith(`${sheet}-`) && name.endsWith("png"),
  );
  expect(more).toEqual([]);
  const barcodes = await readByZxing(await readFile(join(directory, picture!)));
  expect(barcodes.toSorted()).toEqual(labels.map(({ address }) => address).toSorted());
});

test("number, name, caption and code read back, from the label that printing starts at", async () => {
  const { path } = await drawn("L7163", 13, 3);
  const { stdout } = await run("pdftotext", ["-layout", path, "-"]);
  const [first, second] = stdout.split("\f");
  expect(first!.match(/NM-\d+/g)).toHaveLength(12);
  expect(second!.match(/NM-\d+/g)).toEqual(["NM-1012"]);
  expect(second).toContain("Přehled smluv Łódź");
  expect(second).toContain("Scan to verify");
  expect(second).toContain("ABCD-EFGH-JKMN-PQR2-2");
});

test.for(["L7163", "L7651", "5164"] as const)("counts as many lines of sheet %s as it draws", async (sheet) => {
  const path = join(directory, `lines-${sheet}.pdf`);
  const label = { ...labelOf(0), copy: "Copy 2 of 3", caption: "" };
  await writeLabels({ labels: [label], sheet: labelSheets[sheet].sheet, start: 1 }, path);
  const { stdout } = await run("pdftotext", ["-raw", path, "-"]);
  const lines = labelLines(label, labelSheets[sheet].sheet);
  expect(lines[0]).toBe("NM-1000");
  expect(stdout.split(/[\n\f]/).filter(Boolean)).toEqual(lines);
});

test.for([
  ["Ελληνικά Договор Ğüneş", "Ελληνικά Договор Ğüneş"],
  ["Hợp đồng", /H.{1,2}p đ.{1,2}ng/],
  ["Deal 👩🏽‍🔧 done", "Deal ? done"],
  ["ខ្មែរ", "??"],
] as const)("the name %s is drawn, with a question mark for what has no letter", async ([name, printed]) => {
  const path = join(directory, `names-${[...name].length}.pdf`);
  const label = { ...labelOf(0), name };
  await writeLabels({ labels: [label], sheet: labelSheets.L7163.sheet, start: 1 }, path);
  const { stdout } = await run("pdftotext", ["-layout", path, "-"]);
  if (typeof printed === "string") expect(stdout).toContain(printed);
  else expect(stdout).toMatch(printed);
  const { stdout: fonts } = await run("pdffonts", [path]);
  expect(fonts).not.toMatch(/ no +(yes|no) +(yes|no) +\d+ 0$/m);
});

test.for([
  ["Chinese", "租赁合同 第12号 Lease"],
  ["Arabic", "عقد إيجار شقة رقم 12"],
  ["Hindi", "किराया अनुबंध 12"],
  ["Japanese in two lines", "東京都千代田区丸の内一丁目九番一号の賃貸借契約書"],
] as const)("a name in %s is drawn in its own script, within its box", async ([language, name]) => {
  const path = join(directory, `script-${language}.pdf`);
  await writeLabels({ labels: [{ ...labelOf(0), name }], sheet: labelSheets["DYMO 99012"].sheet, start: 1 }, path);
  const { stdout } = await run("pdfimages", ["-list", path]);
  expect(stdout.split("\n").filter((line) => line.includes("gray"))).toHaveLength(1);
  const picture = path.replace(".pdf", "");
  await run("pdftoppm", ["-r", "150", "-gray", "-png", "-singlefile", path, picture]);
  expect(await readByZxing(await readFile(`${picture}.png`))).toEqual([labelOf(0).address]);
});

test("a Data Matrix decodes on labels that are too small for a QR code of the same address", async () => {
  const sheet = { ...labelSheets.L7651.sheet, labelWidth: 14, labelHeight: 14 };
  const { address } = labelOf(0);
  expect(smallestSide(address)).toBeGreaterThan(14);
  expect(smallestSide(address, "data-matrix")).toBeLessThan(14);
  const path = join(directory, "matrix.pdf");
  await writeLabels({ labels: [labelOf(0), labelOf(1)], sheet, start: 1, symbology: "data-matrix" }, path);
  await run("pdftoppm", ["-r", "300", "-gray", "-png", "-singlefile", path, path]);
  const read = await readByZxing(await readFile(`${path}.png`), "DataMatrix");
  expect(read.toSorted()).toEqual([labelOf(0).address, labelOf(1).address].toSorted());
});

test("the logo stands above the text, and the lines that are left below it", async () => {
  const logo = join(directory, "logo.png");
  await writeFile(logo, await pngFile(300, 100));
  const path = join(directory, "logo.pdf");
  const { sheet } = labelSheets["Brother DK-11209"];
  const label = { ...labelOf(0), more: ["Preston", "Expires 20-12-2026", "Bank: North"] };
  await writeLabels({ labels: [label], sheet, start: 1, logo }, path);
  expect((await run("pdfimages", ["-list", path])).stdout).toMatch(/ 300 +100 /);
  const { stdout } = await run("pdftotext", ["-raw", path, "-"]);
  const lines = labelLines(label, sheet, { symbology: "qr", hasLogo: true });
  expect(stdout.split(/[\n\f]/).filter(Boolean)).toEqual(lines);
  expect(lines).toContain("Expires 20-12-2026");
});
