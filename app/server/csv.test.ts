import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvPieces } from "./csv.ts";

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
  fc.tuple(fc.array(marks, { maxLength: 5 }), fc.string({ maxLength: 5 })).map(([start, end]) => start.join("") + end),
);

/** What we put in front of a cell taken away again. */
const shown = (cell: string, text: string) => (cell === text ? text : cell.replace(/^'/, ""));

test("every table comes back as it was, but for the apostrophes", async () => {
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const file = await fileOf(rows);
      expect(file.startsWith("\uFEFF")).toBe(true);
      const [, ...lines] = parse(file.slice(1));
      expect(lines.map((line, row) => line.map((cell, n) => shown(cell, rows[row]![n]!)))).toEqual(rows);
    }),
  );
});

test("no cell begins with what a spreadsheet takes for a formula, whatever it drops before it looks", () => {
  fc.assert(
    fc.property(text, (given) => {
      const [[cell]] = parse(`${csvCell(given)}\r\n`) as [[string]];
      expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
      expect(cell).not.toMatch(/^[\s"\u200b]+[=+\-@＝＋－＠]/);
    }),
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
  for (const usual of ["Lease", "", "O’Neill-Smith", "a=b", "£1,500.00", "19-11-2026", "5", "anna@b.example"]) {
    expect(csvCell(usual)).toBe(`"${usual}"`);
  }
  for (const attack of ["=1+1", "+44 161", "-5", "@SUM(A1)", "\t=1", "\rx", '"=1', " =1", "＝1", "'=1"]) {
    expect(csvCell(attack), attack).toBe(`"'${attack.replaceAll('"', '""')}"`);
  }
});

test("a list without rows is its heading, and chunks follow each other", async () => {
  expect(await fileOf([["a", "b"]], [["c", "d"]], [["e", "f"]])).toBe(
    '\uFEFF"Column 0","Column 1"\r\n"a","b"\r\n"c","d"\r\n"e","f"\r\n',
  );
  const pieces = csvPieces([{ label: "Name", value: String }], inChunks());
  expect((await pieces.next()).value).toBe('\uFEFF"Name"\r\n');
});

test("the next chunk is asked for only when the one before was taken", async () => {
  let asked = 0;
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield [String(asked++)];
    } finally {
      isEnded = true;
    }
  }
  const pieces = csvPieces([{ label: "N", value: (n: string) => n }], endless());
  await pieces.next();
  await pieces.next();
  expect(asked).toBe(2);
  await pieces.return(undefined);
  expect(isEnded).toBe(true);
});
