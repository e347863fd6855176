import { describe, expect, test } from "vitest";
import { temporaryFile, textRows, xlsx } from "#tests/fixtures/tables.ts";
import { readTable } from "./table-file.ts";

/** Tables that are made to take time or memory end with a sentence, before a library has built what they ask for. */

const limits = { maxRows: 10_000 };
const refusal = (content: string | Buffer) =>
  readTable(temporaryFile(content), limits).then(
    () => "read",
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

const megabytes = (count: number) => count * 1024 * 1024;
const filled = (text: string, bytes: number) => `name,email\n${text.repeat(bytes / text.length)}`;

const tooManyLines = "There are more than 50,000 lines, empty and hidden ones among them: remove those";
const unreadable = "Line 2 can’t be read: check its quotes and separators";

describe("CSV", () => {
  test.each([
    ["line ends alone", filled("\n", megabytes(4)), tooManyLines],
    ["line ends with separators", filled(",\n", megabytes(4)), tooManyLines],
    ["one row of commas", filled(",", 19_000_000), unreadable],
    ["one row of semicolons", filled(";", 19_000_000), unreadable],
    ["quotes alone", filled('"', 19_000_000), unreadable],
    ["an open quote", filled('"x', 19_000_000), unreadable],
    ["one long cell", filled("x", 19_000_000), unreadable],
    ["separators in the headings", ",".repeat(19_000_000), "Line 1 can’t be read: check its quotes and separators"],
    ["a thousand empty cells", `a,b\n1,2${",".repeat(1000)}\n`, "read"],
    ["rows of 201 cells", `a,b\n${`${"1,".repeat(200)}1\n`.repeat(10)}`, "There are more than 200 columns"],
  ])("%s", async (_, content, message) => {
    expect((await refusal(content)).replace("TableRefused: ", "")).toBe(message);
  });
});

describe("XLSX", () => {
  const heading = textRows([["A", "B"]]);
  const withSheet = (xml: string) => xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": xml });
  const rows = (xml: string) => `<worksheet><sheetData>${heading}${xml}</sheetData></worksheet>`;
  const tooLarge = "The file is too large once unpacked: keep only the sheet and the rows that are needed";

  test.each([
    [
      "a cell in the last corner",
      rows('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
      "There are more than 200 columns",
    ],
    ["ten million empty rows", rows("<row/>".repeat(10_000_000)), tooLarge],
    ["ten million empty cells", rows(`<row>${"<c/>".repeat(10_000_000)}</row>`), tooLarge],
    ["hidden rows beyond count", rows('<row hidden="1"><c><v>1</v></c></row>'.repeat(60_000)), tooManyLines],
    [
      "all cells of the sheet merged",
      `${rows("<row><c><v>1</v></c></row>").replace("</worksheet>", "")}<mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells></worksheet>`,
      "read",
    ],
    [
      "a million merges",
      `${rows("<row><c><v>1</v></c></row>").replace("</worksheet>", "")}<mergeCells>${'<mergeCell ref="A2:B3"/>'.repeat(1_000_000)}</mergeCells></worksheet>`,
      tooLarge,
    ],
    [
      "a formula without a value",
      rows("<row><c><f>1+1</f></c></row>"),
      "Line 2, “A”: the formula has no value: open the file in a spreadsheet, save it, and choose it again",
    ],
    [
      "merges in no cell",
      `<worksheet><sheetData>${heading}</sheetData><mergeCells><mergeCell ref="1:2"/></mergeCells></worksheet>`,
      "The file is damaged or no table: save it again as .xlsx or CSV in your spreadsheet",
    ],
    [
      "columns hidden for ever",
      `<worksheet><cols><col min="1" max="1e300" hidden="1"/></cols><sheetData>${heading}</sheetData></worksheet>`,
      "The sheet hides all its rows or columns: show those that are needed",
    ],
  ])("%s", async (_, xml, message) => {
    expect((await refusal(await withSheet(xml))).replace("TableRefused: ", "")).toBe(message);
  });

  test("millions of shared texts", async () => {
    const sharedStrings = `<sst>${"<si><t>a</t></si>".repeat(3_000_000)}</sst>`;
    const message = await refusal(await xlsx({ sheets: { Sheet: heading }, sharedStrings }));
    expect(message).toMatch(/^TableRefused: The file (has too much text|is too large once unpacked)/);
  });

  test("one long text in every cell", async () => {
    const sharedStrings = `<sst><si><t>${"x".repeat(4_000)}</t></si></sst>`;
    const cells = `<row>${'<c t="s"><v>0</v></c>'.repeat(2)}</row>`.repeat(9_000);
    expect(await refusal(await xlsx({ sheets: { Sheet: heading + cells }, sharedStrings }))).toBe(
      "TableRefused: The table has more than 20 MB of text: divide it",
    );
  });

  test("a format that is longer than spreadsheets allow", async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${"[h]".repeat(100_000)}"/></numFmts>
      <cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`;
    const sheet = `${heading}<row><c s="0"><v>1</v></c></row>`;
    expect(await refusal(await xlsx({ sheets: { Sheet: sheet }, styles }))).toContain(
      "Line 2, “A”: the format “[h][h]",
    );
  });
});
