import { describe, expect, test } from "vitest";
import { fixtureTable, temporaryFile, textRows, xlsx } from "#tests/fixtures/tables.ts";
import { readTable, type TableLimits } from "./table-file.ts";
import type { TableReading } from "./table-shape.ts";

/** Tables as programs and people outside make them: what a person sees in the spreadsheet is what is read. */

const limits: TableLimits = { maxRows: 100 };
const read = (name: string, reading?: TableReading) => readTable(fixtureTable(name), limits, reading);
const cellsOf = async (name: string, reading?: TableReading) =>
  (await read(name, reading)).rows.map(({ cells }) => cells);

describe("number formats", () => {
  test("a cell is what it shows: percent, money, prefixes, fixed digits, elapsed time", async () => {
    const { columns, rows } = await read("number-formats.xlsx");
    expect(Object.fromEntries(columns.map((name, at) => [name, rows[0]!.cells[at]]))).toEqual({
      number: "NM-0007",
      name: "Ada Example",
      course: "First aid",
      place: "Preston",
      day: "2026-10-14",
      result: "Passed",
      Score: "95%",
      Fee: "£1,250.00",
      "Employee no": "00042",
      Phone: "(1632) 960001",
      Duration: "25:30",
      Card: "20-261",
    });
    expect(await cellsOf("users-formatted-numbers.xlsx")).toEqual([
      ["Jose\u0301 Muestra", "jose.muestra@hallam.example", "01632 960001", "01234"],
    ]);
  });

  const formats: [string, string, string][] = [
    ["0.0%", "0.1234", "12.3%"],
    ["#,##0.00\\ [$€-407]", "1234.5", "1.234,50 €"],
    ['_-"$"* #,##0.00_-', "5", "$5.00"],
    ["#,##0;(#,##0)", "-1250", "(1,250)"],
    ['[>=60]"passed";"failed"', "61", "passed"],
    ['[>=60]"passed";"failed"', "59", "failed"],
    ["# ?/?", "1.5", "1 1/2"],
    ["[mm]:ss", "0.0625", "90:00"],
    ["0.00E+00", "12345", "1.23E+04"],
    ['0" kg"', "7", "7 kg"],
    ["h:mm AM/PM", "0.75", "6:00 PM"],
    ["mmmm yyyy", "46309", "October 2026"],
    ["[$-415]d mmmm yyyy", "46309", "2026-10-14"],
    ["m/d/yy h:mm", "46309.395833333336", "2026-10-14 09:30"],
    ["dd/mm/yyyy", "46309.395833333336", "2026-10-14"],
    ["General", "493012345670", "493012345670"],
    ["[Red]General", "0.30000000000000004", "0.3"],
    ['General" m"', "493012345670", "493012345670 m"],
    ["@", "493012345670", "493012345670"],
    [";;;", "7", ""],
  ];

  test.each(formats)("%s shows %s as %s", async (code, value, text) => {
    expect(await oneCell(`<c s="1"><v>${value}</v></c>`, code)).toBe(text);
  });

  test("a format's section for text is shown, and text without one as it is", async () => {
    const cell = '<c s="1" t="inlineStr"><is><t>Ada</t></is></c>';
    expect(await oneCell(cell, '0;0;0;"Dr "@')).toBe("Dr Ada");
    expect(await oneCell(cell, "0.00")).toBe("Ada");
  });

  test.each([
    ["[~what]0", "5"],
    ["0".repeat(256), "5"],
    ["dd/mm/yyyy", "-5"],
    ["dd/mm/yyyy", "3000000"],
  ])("a cell whose format %s can't be shown is named by line and column", async (code, value) => {
    await expect(oneCell(`<c s="1"><v>${value}</v></c>`, code)).rejects.toThrow(
      `Line 2, “A”: the format “${code.slice(0, 40)}” can’t be read here: type what the cell shows, with the format Text`,
    );
  });

  async function oneCell(cell: string, code: string) {
    const escaped = code
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;");
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${escaped}"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`;
    const sheet = `${textRows([["A", "B"]])}<row>${cell}<c t="inlineStr"><is><t>x</t></is></c></row>`;
    const { rows } = await readTable(temporaryFile(await xlsx({ sheets: { Sheet: sheet }, styles })), limits);
    return rows[0]!.cells[0];
  }
});

test("a day is read of dates with a time, and of typed ISO dates", async () => {
  const [cells] = await cellsOf("dates-with-time.xlsx");
  expect(cells!.slice(3)).toEqual(["2026-10-14", "Passed", "2026-10-14 09:30", "2027-10-14"]);
});

describe("what a file hides", () => {
  test("leaves out and counts rows that a filter hides, and reads them if that is chosen", async () => {
    const names = (rows: string[][]) => rows.map(([name]) => name);
    expect(await read("filtered-rows.xlsx")).toMatchObject({ hiddenRows: 1, hiddenColumns: [], withHidden: false });
    expect(names(await cellsOf("filtered-rows.xlsx"))).toEqual(["Ada Example", "Cleo Trial"]);
    expect(names(await cellsOf("filtered-rows.xlsx", { withHidden: true }))).toEqual([
      "Ada Example",
      "Ben Sample",
      "Cleo Trial",
    ]);
  });

  test("hidden rows and cells without numbers of their own are counted as they come", async () => {
    const rows = textRows([["Name"], ["Ada"], ["Ben"]]).replace(
      '<row><c t="inlineStr"><is><t xml:space="preserve">Ada',
      (row) => row.replace("<row>", '<row hidden="true">'),
    );
    expect(rows).toContain("hidden");
    const path = temporaryFile(await xlsx({ sheets: { Sheet: rows } }));
    expect(await readTable(path, limits)).toMatchObject({ hiddenRows: 1, rows: [{ line: 3, cells: ["Ben"] }] });
  });

  test.each(['hidden="1"', 'width="0"'])("columns that are %s are left out and named", async (how) => {
    const rows = textRows([
      ["Name", "Secret", "City"],
      ["Ada", "x", "Bonn"],
    ]);
    const sheet = `<worksheet><cols><col min="2" max="2" ${how}/></cols><sheetData>${rows}</sheetData></worksheet>`;
    const path = temporaryFile(await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet }));
    expect(await readTable(path, limits)).toMatchObject({
      columns: ["Name", "City"],
      hiddenColumns: ["Secret"],
      rows: [{ line: 2, cells: ["Ada", "Bonn"] }],
    });
    expect(await readTable(path, limits, { withHidden: true })).toMatchObject({
      columns: ["Name", "Secret", "City"],
      hiddenColumns: ["Secret"],
      rows: [{ line: 2, cells: ["Ada", "x", "Bonn"] }],
    });
  });

  test("the sheet that opens is read, hidden sheets are left out, and others can be chosen", async () => {
    expect(await read("hidden-first-sheet.xlsx")).toMatchObject({
      sheet: "Participants",
      sheets: ["Participants"],
      columns: ["name", "course", "place", "day", "result"],
    });
    expect(await read("second-sheet-active.xlsx")).toMatchObject({
      sheet: "Participants",
      sheets: ["Read me", "Participants"],
    });
    expect(await read("second-sheet-active.xlsx", { sheet: "Read me" })).toMatchObject({
      columns: ["How to fill in this file"],
    });
    await expect(read("hidden-first-sheet.xlsx", { sheet: "Lists" })).rejects.toThrow(
      "The file shows no sheet “Lists”",
    );
  });

  test("refuses a sheet with every row hidden", async () => {
    const rows = textRows([["A"], ["1"]]).replaceAll("<row>", '<row hidden="1">');
    const path = temporaryFile(await xlsx({ sheets: { Sheet: rows } }));
    await expect(readTable(path, limits)).rejects.toThrow(
      "The sheet hides all its rows or columns: show those that are needed",
    );
  });
});

describe("merged cells", () => {
  test("each row has what they show", async () => {
    const group = ["First aid at work", "Preston", "14-10-2026", "Passed"];
    expect(await cellsOf("merged-cells.xlsx")).toEqual([
      ["Ada Example", ...group],
      ["Ben Sample", ...group],
      ["Cleo Trial", ...group],
    ]);
  });

  const merged = async (rows: string[][], ...references: string[]) => {
    const merges = references.map((reference) => `<mergeCell ref="${reference}"/>`).join("");
    const sheet = `<worksheet><sheetData>${textRows(rows)}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
    const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
    return (await readTable(temporaryFile(file), limits)).rows.map(({ cells }) => cells);
  };

  test("each column but the first is empty, and a row without a cell of its own is none", async () => {
    const rows = [
      ["Name", "Theory", "Practice"],
      ["Ada", "absent", ""],
      ["Ben", "1", "2"],
      ["", "", ""],
    ];
    expect(await merged(rows, "B2:C2", "A3:A4", "B3:B4")).toEqual([
      ["Ada", "absent", ""],
      ["Ben", "1", "2"],
    ]);
  });

  test("headings that are merged with rows below are refused", async () => {
    const rows = [
      ["Name", "City"],
      ["", "Bonn"],
    ];
    await expect(merged(rows, "A1:A2")).rejects.toThrow(
      "Line 1: cells are merged with the rows below. Name each column in one row",
    );
  });

  test("merges that lie upon each other are refused before they are filled", async () => {
    const rows = [["A"], ...Array.from({ length: 100 }, () => ["x"])];
    await expect(merged(rows, ...Array.from({ length: 50_000 }, () => "A2:XFD1048576"))).rejects.toThrow(
      "The file is damaged",
    );
  });
});

test("finds a workbook's parts by its relationships", async () => {
  expect(await cellsOf("workbook-elsewhere.xlsx")).toEqual([
    ["Ada Example", "First aid", "Preston", "14-10-2026", "Passed"],
  ]);
});

describe("files of other programs", () => {
  const german = [
    ["Jürgen Groß", "12.5%", "2026-10-14 09:30", "1,234.50 €", "2", "fett und", "Seite"],
    ["Zoë", "100.0%", "2026-10-16", "-5.00 €", "TRUE", "a", ""],
  ];
  const swedish = [
    ["Åsa Öberg", "2026-10-14 09:30", "95%", "N-007", "30:05:00"],
    ["Kim", "2026-10-15", "", "", ""],
  ];
  const english = [
    ["Ada", "2026-10-14", "$1,250.00", "abc", "TRUE", "group", "", "link"],
    ["Ben", "2026-10-15", "", "", "", "group", "", ""],
  ];

  test.each([
    ["of-exceljs.xlsx", "Teilnehmer", german, ["Geheim"]],
    ["of-openpyxl.xlsx", "Kurs", swedish, ["Zeit", "Neg", "Frac"]],
    ["of-libreoffice.xlsx", "Kurs", swedish, ["Zeit", "Neg", "Frac"]],
    ["of-gnumeric.xlsx", "Kurs", swedish, ["Zeit", "Neg", "Frac"]],
    ["of-xlsxwriter.xlsx", "Data", english, []],
    ["of-sheetjs.xlsx", "Données", [["Élodie", "2026-10-14", "7.50%", "25:30"]], []],
    [
      "of-xlsx-populate.xlsx",
      "Uczestnicy",
      [
        ["Łukasz", "12.50 zł", "2026-10-14"],
        ["Łukasz", "7", ""],
      ],
      [],
    ],
  ] as const)("%s is read as that program shows it", async (name, sheet, cells, hiddenColumns) => {
    expect(await read(name)).toMatchObject({ sheet, hiddenColumns });
    expect(await cellsOf(name)).toEqual(cells);
  });
});

test("a title merged above the names is said to be one", async () => {
  const sheet = `<worksheet><sheetData>${textRows([
    ["Course 2026", ""],
    ["Name", "City"],
  ])}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`;
  const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
  const reading = readTable(temporaryFile(file), limits);
  await expect(reading).rejects.toThrow(/The first row names the columns: delete a title above it$/);
});

test.each([
  ["1234567890123450", /more than 15 digits/],
  ["1.2345678901234568E+17", /more than 15 digits/],
  ["999999999999999", undefined],
  ["0.30000000000000004", undefined],
])("the stored number %s", async (value, refusal) => {
  const sheet = `<worksheet><sheetData>${textRows([["Number"]])}<row r="2"><c r="A2"><v>${value}</v></c></row></sheetData></worksheet>`;
  const file = await xlsx({ sheets: { Sheet: "" } }, { "xl/worksheets/sheet1.xml": sheet });
  const reading = readTable(temporaryFile(file), limits);
  if (refusal) await expect(reading).rejects.toThrow(refusal);
  else expect((await reading).rows).toHaveLength(1);
});

describe("encodings", () => {
  test.each([
    ["ukrainian-windows-1251.csv", "windows-1251", ["Олена Приклад", "Юрій Зразок"]],
    ["polish-windows-1250.csv", "windows-1250", ["Zażółć Przykład"]],
    ["turkish-windows-1254.csv", "windows-1254", ["Şükrü Örnek"]],
  ])("%s is read as %s", async (name, encoding, names) => {
    const table = await read(name);
    expect(table.encoding).toBe(encoding);
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(names);
  });

  /** The bytes of a text in an encoding, found by decoding every byte and pair of bytes. */
  function encode(text: string, name: string) {
    const decoder = new TextDecoder(name);
    const bytesOf = new Map<string, number[]>();
    for (let first = 0xff; first >= 0; first--) {
      if (first > 0x7f)
        for (let second = 0x40; second < 0xff; second++) {
          const pair = decoder.decode(Uint8Array.of(first, second));
          if (pair.length === 1 && pair !== "\uFFFD") bytesOf.set(pair, [first, second]);
        }
      bytesOf.set(decoder.decode(Uint8Array.of(first)), [first]);
    }
    return Buffer.from([...text].flatMap((char) => bytesOf.get(char)!));
  }

  test.each([
    ["windows-1253", "Μαρία Παπαδοπούλου,Αθήνα"],
    ["windows-1255", "רחל גולדברג,תל אביב"],
    ["windows-1256", "فاطمة الزهراء,القاهرة"],
    ["koi8-r", "Анна Кузнецова,Москва"],
    ["macintosh", "Françoise Lefèvre,Besançon"],
    ["shift_jis", "高橋さくら,東京"],
    ["gbk", "王小明和李华的公司,北京市朝阳区建国路"],
    ["big5", "陳美玲,臺北市"],
    ["euc-kr", "김민준,서울특별시"],
  ])("%s is found in %s", async (encoding, row) => {
    const file = encode(`Name,City\n${row}\n`, encoding);
    const table = await readTable(temporaryFile(file), limits);
    expect(table.encoding).toBe(encoding);
    expect(table.rows[0]!.cells).toEqual(row.split(","));
  });

  const ofLanguage: [string, string, string][] = [
    ["windows-1252", "Ängström\r\nJürgen Müller", "de"],
    ["windows-1252", "François Lefèvre à Orléans", "fr"],
    ["windows-1252", "José Núñez, Málaga", "es"],
    ["windows-1252", "Preis 5 €, ½ Tag", "de"],
    ["windows-1250", "Jiří Novák, České Budějovice", "cs"],
    ["windows-1250", "Győző Szűcs", "hu"],
    ["windows-1250", "Müller Łukasz", "pl"],
    ["windows-1251", "Петър Георгиев, София", "bg"],
    ["windows-1254", "Ayşe Yılmaz, Iğdır", "tr"],
  ];

  test.each(ofLanguage)("finds %s in %s", async (encoding, text) => {
    const table = await readTable(temporaryFile(encoded(`name\n"${text}"\n`, encoding)), limits);
    expect(table.encoding).toBe(encoding);
    expect(table.rows[0]!.cells[0]).toBe(text);
  });

  test("what reads alike in two encodings is read in that of the company's language", async () => {
    const path = temporaryFile(encoded("name\nGdańsk\n", "windows-1250"));
    expect((await readTable(path, limits, { language: "pl" })).rows[0]!.cells).toEqual(["Gdańsk"]);
  });

  test("one bad byte is named by its line, and the others stay as they are", async () => {
    await expect(read("one-bad-byte.csv")).rejects.toThrow(
      "Line 4 has a character that is not UTF-8, as the others are: type it again and save the file as UTF-8, or choose another encoding",
    );
    expect((await cellsOf("one-bad-byte.csv", { encoding: "windows-1252" }))[2]![0]).toBe("Müller Muster");
  });

  test("a chosen encoding and separator are taken", async () => {
    const table = await read("polish-windows-1250.csv", { encoding: "windows-1252", separator: "," });
    expect(table).toMatchObject({
      encoding: "windows-1252",
      separator: ",",
      columns: ["name;course;place;day;result"],
    });
  });

  test("detects UTF-16 without a mark, even without Latin letters", async () => {
    const bytes = Buffer.from("ім’я;місто\nОлена;Київ\n", "utf16le");
    for (const [encoding, content] of [
      ["utf-16le", bytes],
      ["utf-16be", Buffer.from(bytes).swap16()],
    ] as const) {
      const table = await readTable(temporaryFile(content), limits);
      expect(table).toMatchObject({ encoding, columns: ["ім’я", "місто"], rows: [{ cells: ["Олена", "Київ"] }] });
    }
  });

  /** Text in a code page. */
  function encoded(text: string, encoding: string) {
    const bytes = Array.from({ length: 256 }, (_, byte) => new TextDecoder(encoding).decode(Buffer.of(byte)));
    return Buffer.from([...text].map((char) => bytes.indexOf(char)));
  }
});
