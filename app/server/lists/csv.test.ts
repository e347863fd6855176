import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFile } from "#tests/fixtures/tables.ts";
import { csvCell } from "#lib/intake/tables/csv-line.ts";
import { readTable } from "#lib/intake/tables/table-file.ts";
import { csvPieces } from "./csv.ts";

/** Reads a CSV file as RFC 4180 has it, strictly: quotes only around cells and doubled within, CRLF after each line. */
function parse(file: string): string[][] {
  const lines: string[][] = [];
  let at = 0;
  while (at < file.length) {
    const line: string[] = [];
    for (;;) {
      const [whole, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(file.slice(at))!;
      line.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
      at += whole!.length;
      if (file[at] !== ",") break;
      at++;
    }
    expect(file.slice(at, at + 2), "the end of a line").toBe("\r\n");
    at += 2;
    lines.push(line);
  }
  return lines;
}

async function* inChunks<T>(...chunks: T[][]) {
  yield* chunks;
}

async function fileOf(rows: string[][], ...chunks: string[][][]) {
  const columns = (rows[0] ?? chunks[0]?.[0] ?? []).map((_, n) => ({
    label: `Column ${n}`,
    value: (row: string[]) => row[n]!,
  }));
  let file = "";
  for await (const piece of csvPieces(columns, inChunks(rows, ...chunks))) file += piece;
  return file;
}

test("a number is written as it is, below zero as well", () => {
  expect(csvCell(-2.2453)).toBe('"-2.2453"');
  expect(csvCell("-2.2453")).toBe(`"'-2.2453"`);
});

const marks = fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', "'", ",", ";", " ", "＝", "\u200b", "\u00a0");
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.oneof(marks, fc.constantFrom("x", "1")), { maxLength: 10 }).map((parts) => parts.join("")),
  fc.tuple(fc.array(marks, { maxLength: 5 }), fc.string({ maxLength: 5 })).map(([start, end]) => start.join("") + end),
);

/** What we put into a cell taken away again: the first of the apostrophes where a formula would begin. */
const withoutApostrophes = (cell: string) =>
  cell.replace(/(?<=^|[;\t\r\n])'(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/gu, "");

test("every table comes back as it was, but for the apostrophes", async () => {
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const file = await fileOf(rows);
      expect(file.startsWith("\uFEFF")).toBe(true);
      const [, ...lines] = parse(file.slice(1));
      expect(lines.map((line) => line.map(withoutApostrophes))).toEqual(rows);
    }),
  );
});

test("an import reads every table as it was exported, without the apostrophes", async () => {
  const cell = text.filter((value) => !value.includes("\0"));
  const tables = fc.array(fc.tuple(cell, cell, fc.constant("not empty")), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const { rows: read } = await readTable(temporaryFile(await fileOf(rows)), { maxRows: 10 });
      expect(read.map(({ cells }) => cells)).toEqual(rows);
    }),
  );
});

/**
 * The cells that a program makes of a file which it takes to be separated by `separator`: one that sees quotes only at the
 * start of a cell, as Excel does, and one that sees none.
 */
function cellsOf(file: string, separator: string, seesQuotes: boolean): string[] {
  const quoted = seesQuotes ? '(?:"((?:[^"]|"")*)"?)?' : "()";
  const cell = new RegExp(`${quoted}([^${separator}\\r\\n]*)(?:${separator}|\\r\\n|\\r|\\n|$)`, "y");
  const cells: string[] = [];
  while (cell.lastIndex < file.length) {
    const [, inQuotes = "", rest] = cell.exec(file)!;
    cells.push(inQuotes.replaceAll('""', '"') + rest);
  }
  return cells;
}

test("no program finds a formula at the start of a cell, whatever it separates cells by and drops before it looks", async () => {
  const rows = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const file = (await fileOf(rows)).slice(1);
      for (const separator of [",", ";", "\t"]) {
        for (const seesQuotes of [true, false]) {
          if (separator === "," && !seesQuotes) continue;
          for (const cell of cellsOf(file, separator, seesQuotes)) {
            expect(cell, JSON.stringify({ rows, separator })).not.toMatch(/^[\s"\p{Cf}]*[=+\-@＝＋－＠]/u);
          }
        }
      }
      for (const cell of parse(file).flat()) expect(cell).not.toMatch(/^[\t\r\n]/);
    }),
    { numRuns: 1000 },
  );
});

test("two texts never come out alike", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other);
      expect(csvCell(one)).not.toBe(csvCell(other));
      expect(csvCell(`'${one}`)).not.toBe(csvCell(one));
    }),
  );
});

test("usual texts stay as they are", () => {
  const usual = [
    "Lease",
    "",
    "O’Neill-Smith",
    "a=b",
    "£1,500.00",
    "19-11-2026",
    "5",
    "anna@b.example",
    "a; b",
    "1 - 2",
  ];
  for (const text of usual) expect(csvCell(text)).toBe(`"${text}"`);
});

test("a text that could become a formula gets an apostrophe where that would begin", () => {
  for (const attack of ["=1+1", "+44 161", "-5", "@SUM(A1)", "\rx", '"=1', " =1", "＝1", "'=1"]) {
    expect(csvCell(attack), attack).toBe(`"'${attack.replaceAll('"', '""')}"`);
  }
  expect(csvCell("\t=1")).toBe(`"'\t'=1"`);
  expect(csvCell("x;=1+1;")).toBe(`"x;'=1+1;"`);
  expect(csvCell("Found:\n=1\n- a point")).toBe(`"Found:\n'=1\n'- a point"`);
  expect(csvCell("Smith, -5")).toBe('"Smith, -5"');
});

test("a list without rows is its heading, and chunks follow each other", async () => {
  expect(await fileOf([["a", "b"]], [["c", "d"]], [["e", "f"]])).toBe(
    '\uFEFF"Column 0","Column 1"\r\n"a","b"\r\n"c","d"\r\n"e","f"\r\n',
  );
  const pieces = csvPieces([{ label: "Name", value: String }], inChunks());
  expect((await pieces.next()).value).toBe('\uFEFF"Name"\r\n');
});

test("the next chunk is requested only when the one before was taken", async () => {
  let requests = 0;
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield [String(requests++)];
    } finally {
      isEnded = true;
    }
  }
  const pieces = csvPieces([{ label: "N", value: (n: string) => n }], endless());
  await pieces.next();
  await pieces.next();
  expect(requests).toBe(2);
  await pieces.return(undefined);
  expect(isEnded).toBe(true);
});
