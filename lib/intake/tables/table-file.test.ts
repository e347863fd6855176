import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFile, textRows, xlsx } from "#tests/fixtures/tables.ts";
import { readTable } from "./table-file.ts";

const read = (content: string | Buffer, maxRows = 100) => readTable(temporaryFile(content), { maxRows });
const cellsOf = async (content: string | Buffer) => (await read(content)).rows.map(({ cells }) => cells);

test.each([",", ";", "\t", "|"])("finds the separator %j by the first row", async (separator) => {
  const text = [`"Name, first; last"`, "City", "Phone"].join(separator) + `\nAda${separator}Bonn${separator}12\n`;
  expect(await read(text)).toMatchObject({
    columns: ["Name, first; last", "City", "Phone"],
    rows: [{ line: 2, cells: ["Ada", "Bonn", "12"] }],
    format: "csv",
    encoding: "utf-8",
    separator,
  });
});

test("a file of one column has no separator to find", async () => {
  expect(await cellsOf("Name\nAda\nBen")).toEqual([["Ada"], ["Ben"]]);
});

test("reads the line that tells Excel the separator", async () => {
  expect((await read("sep=;\r\nName;City\r\nAda;Bonn")).rows).toEqual([{ line: 3, cells: ["Ada", "Bonn"] }]);
});

const utf16le = (text: string) => Buffer.from(text, "utf16le");
const encoded: [string, (text: string) => Buffer, string][] = [
  ["UTF-8", (text) => Buffer.from(text), "utf-8"],
  ["UTF-8 with a mark", (text) => Buffer.from(`\uFEFF${text}`), "utf-8"],
  ["UTF-16 little-endian", (text) => utf16le(text), "utf-16le"],
  ["UTF-16 little-endian with a mark", (text) => utf16le(`\uFEFF${text}`), "utf-16le"],
  ["UTF-16 big-endian", (text) => utf16le(text).swap16(), "utf-16be"],
  ["UTF-16 big-endian with a mark", (text) => utf16le(`\uFEFF${text}`).swap16(), "utf-16be"],
  ["Windows-1252", (text) => Buffer.from(text.replace("€", "\x80"), "latin1"), "windows-1252"],
];

test.each(encoded)("reads %s", async (_, encode, encoding) => {
  const table = await read(encode("Name,Städte\nÄnne €,Köln\n"));
  expect(table).toMatchObject({ columns: ["Name", "Städte"], encoding });
  expect(table.rows).toEqual([{ line: 2, cells: ["Änne €", "Köln"] }]);
});

test.each(["\n", "\r\n", "\r"])("reads lines that end with %j, and numbers rows as a spreadsheet does", async (end) => {
  const text = ["", "Name,Notes", 'Ada,"two\nlines"', ",", "", "Ben,", ""].join(end);
  expect((await read(text)).rows).toEqual([
    { line: 3, cells: ["Ada", "two\nlines"] },
    { line: 6, cells: ["Ben", ""] },
  ]);
});

test("reads quotes as spreadsheets do", async () => {
  expect(await cellsOf('Name,Size\n"said ""hi""",12" pipe\nAda')).toEqual([
    ['said "hi"', '12" pipe'],
    ["Ada", ""],
  ]);
});

test("a formula in CSV is plain text, without the apostrophe of an exported list", async () => {
  expect(await cellsOf("A,B,C\n=1+1,'=2+2,''=3\n'tis,'+49 30,\"a;'-b\"")).toEqual([
    ["=1+1", "=2+2", "'=3"],
    ["'tis", "+49 30", "a;-b"],
  ]);
});

const refusedCsv: [string, string, string][] = [
  ["no row", " \n,\n", "The file is empty: its first row has the names of the columns"],
  ["an unnamed column", "Name,,City\n", "Line 1: column B has no name. Name each column in this row"],
  ["two columns of one name", "\nName,City,name\n", "Line 2: two columns are called “Name”. Rename or remove one"],
  [
    "a cell too many",
    "A,B\n1,2\n1,2,3",
    "Line 3 has a cell in column C, which has no name. The first row names the columns: delete a title above it, and check quotes and separators",
  ],
  ["an open quote", 'A\n1\n"2\n3', "Line 3: a quote is opened and not closed"],
  ["a long cell", `A\n${"x".repeat(4001)}`, "Line 2, “A”: the cell has more than 4,000 characters"],
  ["too many rows", `A\n${"1\n".repeat(101)}`, "There are more than 100 rows: divide the file"],
  ["too many columns", Array.from({ length: 201 }, (_, n) => n).join(","), "There are more than 200 columns"],
  ["a long row", `A\n"${"x".repeat(1_100_000)}"`, "Line 2 can’t be read: check its quotes and separators"],
  [
    "a long heading",
    "x".repeat(201),
    `Line 1: “${"x".repeat(40)}…” is too long for a column’s name. The first row names the columns`,
  ],
  [
    "bytes that are no text",
    "%PDF\0\0",
    "The file is damaged or no table: save it again as .xlsx or CSV in your spreadsheet",
  ],
];

test.each(refusedCsv)("refuses %s by its line", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test("refuses a large file before reading it", async () => {
  await expect(read(Buffer.alloc(20 * 1024 * 1024 + 1, "a,b\n"))).rejects.toThrow("The file is larger than 20 MB");
});

test("refuses a spreadsheet with a password, and one of the old kind", async () => {
  const old = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]);
  await expect(read(old)).rejects.toThrow(
    "has a password or is an Excel file of an old kind (.xls): save it as .xlsx or CSV",
  );
});

test.each([
  ["PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "is an OpenDocument file (.ods)"],
  ["PK\x03\x04Index/Document.iwa", "is a Numbers document"],
  ['<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', "is an XML spreadsheet"],
  ["<html><table><tr><td>Name</td></tr></table></html>", "is a web page"],
])("refuses %s by its kind", async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

const quoted = (cells: string[], separator: string) =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator);
// The apostrophes of exported lists have a test of their own.
const cell = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/['\0]/.test(text));
const tables = fc.array(fc.tuple(cell, cell, fc.constant("x")), { maxLength: 8 });

test("any table reads back from CSV in any of its dialects", async () => {
  const dialects = fc.record({
    separator: fc.constantFrom(",", ";", "\t", "|"),
    end: fc.constantFrom("\n", "\r\n", "\r"),
    encode: fc.constantFrom(
      (text: string) => Buffer.from(text),
      (text: string) => utf16le(`\uFEFF${text}`),
    ),
  });
  await fc.assert(
    fc.asyncProperty(tables, dialects, async (rows, { separator, end, encode }) => {
      const lines = [["One", "Two", "Three"], ...rows].map((cells) => quoted(cells, separator) + end);
      expect(await cellsOf(encode(lines.join("")))).toEqual(rows);
    }),
  );
});

test("any table reads back from XLSX", async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const file = await xlsx({ sheets: { Sheet: textRows([["One", "Two", "Three"], ...rows]) } });
      expect(await cellsOf(file)).toEqual(rows);
    }),
  );
});

test("no bytes bring it down", async () => {
  const start = fc.constantFrom("", "PK\x03\x04", "\uFEFF", 'A,B\n"', "sep=;\n");
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), async (text, bytes) => {
      const reading = read(Buffer.concat([Buffer.from(text, "latin1"), bytes]));
      await reading.catch((error: Error) => expect(error.constructor.name).toBe("TableRefused"));
    }),
  );
});
