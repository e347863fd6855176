import { expect, test } from "vitest";
import { temporaryFile, textRows, xlsx, zip } from "#tests/fixtures/tables.ts";
import { readTable } from "./table-file.ts";

const read = (content: Buffer, sheet?: string) => readTable(temporaryFile(content), { maxRows: 100 }, { sheet });

const heading = textRows([["A", "B", "C"]]);

async function readCells(cells: string, workbook: Partial<Parameters<typeof xlsx>[0]> = {}) {
  const file = await xlsx({ sheets: { Sheet: `${heading}<row r="7">${cells}</row>` }, ...workbook });
  const [row] = (await read(file)).rows;
  expect(row!.line).toBe(7);
  return row!.cells;
}

test("reads the first sheet or one by name", async () => {
  const file = await xlsx({ sheets: { First: textRows([["A"], ["1"]]), Other: textRows([["B"], ["2"]]) } });
  const sheets = ["First", "Other"];
  expect(await read(file)).toMatchObject({ rows: [{ line: 2, cells: ["1"] }], format: "xlsx", sheet: "First", sheets });
  expect(await read(file, "Other")).toMatchObject({
    columns: ["B"],
    rows: [{ line: 2, cells: ["2"] }],
    sheet: "Other",
  });
  await expect(read(file, "None")).rejects.toThrow("The file shows no sheet “None”");
});

test("reads shared texts with their runs, line ends and no pronunciation", async () => {
  const sharedStrings =
    "<sst><si><t>Ada</t></si><si><r><t>two</t></r><r><t xml:space='preserve'> _x000D_\nlines</t></r><rPh><t>x</t></rPh></si></sst>";
  expect(await readCells('<c r="A7" t="s"><v>0</v></c><c r="C7" t="s"><v>1</v></c>', { sharedStrings })).toEqual([
    "Ada",
    "",
    "two \r\nlines",
  ]);
});

test("reads numbers as text without exponents or the noise of floats", async () => {
  expect(await readCells("<c><v>4.9301234567E+11</v></c><c><v>0.30000000000000004</v></c><c><v>-0</v></c>")).toEqual([
    "493012345670",
    "0.3",
    "0",
  ]);
  expect(await readCells('<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c><v>1e-7</v></c>')).toEqual([
    "TRUE",
    "FALSE",
    "0.0000001",
  ]);
});

const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/>
  <numFmt numFmtId="165" formatCode="[$-407]d. mmmm yyyy hh:mm;@"/><numFmt numFmtId="166" formatCode="00000"/>
  <numFmt numFmtId="167" formatCode="&quot;day &quot;0"/><numFmt numFmtId="168" formatCode="[Red]General"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/>
  <xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/></cellXfs></styleSheet>`;

test("reads dates in ISO 8601 in both systems of days", async () => {
  const cell = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`;
  expect(await readCells(cell(1, 46_352) + cell(2, 1) + cell(3, 46_352.75), { styles })).toEqual([
    "2026-11-26",
    "1900-01-01",
    "2026-11-26 18:00",
  ]);
  expect(await readCells(cell(1, 61) + cell(4, 0.5) + cell(1, 44_890), { styles, date1904: true })).toEqual([
    "1904-03-02",
    "12:00",
    "2026-11-26",
  ]);
  expect(await readCells('<c t="d"><v>2026-11-26</v></c>', { styles })).toEqual(["2026-11-26", "", ""]);
});

test("keeps a post code's zeros, and shows the words of a format", async () => {
  expect(await readCells('<c s="5"><v>1067</v></c><c s="6"><v>3</v></c><c s="7"><v>4</v></c>', { styles })).toEqual([
    "01067",
    "day 3",
    "4",
  ]);
});

test("takes a formula's last value, and refuses one without by line and column", async () => {
  expect(
    await readCells('<c><f>1+1</f><v>2</v></c><c t="str"><f>A1&amp;""</f><v>x</v></c><c t="str"><f>""</f><v></v></c>'),
  ).toEqual(["2", "x", ""]);
  await expect(readCells("<c/><c><f>1+1</f></c>")).rejects.toThrow(
    "Line 7, “B”: the formula has no value: open the file",
  );
  await expect(readCells('<c t="e"><v>#REF!</v></c>')).rejects.toThrow("Line 7, “A”: the cell shows an error (#REF!)");
  await expect(readCells("<c><v>many</v></c>")).rejects.toThrow("Line 7, “A”: the cell’s number can’t be read");
  await expect(readCells('<c t="s"><v>9</v></c>')).rejects.toThrow("Line 7, “A”: the cell’s text is missing");
});

test("reads elements with prefixes, and cells without references", async () => {
  const rows = textRows([["A"], ["1"]])
    .replaceAll("<", "<x:")
    .replaceAll("<x:/", "</x:");
  const sheet = `<x:worksheet xmlns:x="m"><x:sheetData>${rows}</x:sheetData></x:worksheet>`;
  const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
  expect((await read(file)).rows).toEqual([{ line: 2, cells: ["1"] }]);
});

const isDamaged = "The file is damaged or no table: save it again as .xlsx or CSV in your spreadsheet";

test.each([
  ["an entity of its own", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'],
  ["an unknown entity", "<a>&b;</a>"],
  ["elements that do not close", "<a><b></a>"],
  ["deep elements", "<a>".repeat(5_000)],
  ["an element of many attributes", `<a ${Array.from({ length: 200 }, (_, n) => `a${n}="1"`).join(" ")}/>`],
  ["a row of no number", '<sheetData><row r="-1"/></sheetData>'],
  ["a cell in no column", '<sheetData><row><c r="ABCDE1"/></row></sheetData>'],
])("refuses a sheet with %s", async (_, sheet) => {
  const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
  await expect(read(file)).rejects.toThrow(isDamaged);
});

const isTooLarge = "The file is too large once unpacked: keep only the sheet and the rows that are needed";

test.each([
  ["empty rows", "<sheetData>" + "<row/>".repeat(3_000_000)],
  ["one text", `<sheetData><row><c><v>${"1".repeat(3_000_000)}`],
  ["one space", `<sheetData${" ".repeat(3_000_000)}`],
])("refuses a small file that unpacks to much: %s", async (_, sheet) => {
  const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
  expect(file.length).toBeLessThan(100_000);
  await expect(read(file)).rejects.toThrow(isTooLarge);
});

test("refuses a cell beyond the columns before it makes room for it", async () => {
  await expect(readCells('<c r="XFD7"><v>1</v></c>')).rejects.toThrow("There are more than 200 columns");
});

test("refuses a ZIP that is no spreadsheet, and one cut short", async () => {
  await expect(read(await zip({ "docProps/app.xml": "x" }))).rejects.toThrow(isDamaged);
  const escaping = (await xlsx({ sheets: { Sheet: heading } }, { "aa/passwd": "x" })).toString("latin1");
  await expect(read(Buffer.from(escaping.replaceAll("aa/", "../"), "latin1"))).rejects.toThrow(isDamaged);
  const whole = await xlsx({ sheets: { Sheet: heading } });
  await expect(read(whole.subarray(0, whole.length / 2))).rejects.toThrow(isDamaged);
});

test("refuses a file of too many parts", async () => {
  const parts = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`part${n}`, ""]));
  await expect(read(await zip(parts))).rejects.toThrow(isTooLarge);
});

test("refuses rows that are there twice, go back, or are beyond the last of a sheet, and characters without a meaning", async () => {
  const damaged = "The file is damaged or no table";
  const row = (line: string, cells = "<c t='inlineStr'><is><t>x</t></is></c>") => `<row r="${line}">${cells}</row>`;
  const sheet = async (rows: string) => read(await xlsx({ sheets: { Sheet: heading + rows } }));
  for (const rows of [row("2") + row("2"), row("3") + row("2"), row("1")]) {
    await expect(sheet(rows), rows).rejects.toThrow(damaged);
  }
  await expect(sheet(row("1048577"))).rejects.toThrow("The file is too large");
  await expect(readCells("<c t='inlineStr'><is><t>a_x0000_b</t></is></c>")).rejects.toThrow(damaged);
  await expect(readCells("<c t='str'><v>a_x0000_b</v></c>")).rejects.toThrow(damaged);
});
