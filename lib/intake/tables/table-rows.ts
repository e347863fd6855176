import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { TableRow } from "./table-file.ts";

/** Rows of a table in a file, a line each, which one process writes and another reads some at a time. */

/** A row with its cells as JSON. */
export type WrittenRow = { line: number; cells: string };

export function writeRows(path: string, rows: TableRow[]): Promise<void> {
  return writeFile(path, linesOf(rows));
}

function* linesOf(rows: TableRow[]) {
  for (const { line, cells } of rows) yield `${line}\t${JSON.stringify(cells)}\n`;
}

const sliceBytes = 64 * 1024;

/** Reads rows in their order, at most `size` together and about 64 kB of them. */
export async function* readRows(path: string, size: number): AsyncGenerator<WrittenRow[]> {
  let rest = "";
  const slices = createReadStream(path, { encoding: "utf8", highWaterMark: sliceBytes });
  for await (const slice of slices as AsyncIterable<string>) {
    const lines = (rest + slice).split("\n");
    rest = lines.pop()!;
    for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size).map(rowIn);
  }
}

function rowIn(text: string): WrittenRow {
  const tab = text.indexOf("\t");
  return { line: Number(text.slice(0, tab)), cells: text.slice(tab + 1) };
}
