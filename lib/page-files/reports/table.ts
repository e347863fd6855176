import { type ReadFacts, readTable, type TableLimits } from "../../intake/tables/table-file.ts";
import { writeRows } from "../../intake/tables/table-rows.ts";
import { type TableReading, TableRefused } from "../../intake/tables/table-shape.ts";
import type { Rejection } from "../file-types.ts";

export type TableJob = { path: string; to: string; limits: TableLimits; reading: TableReading };

/** A table whose rows, so many, are in a file. */
export type ReadTable = ReadFacts & { columns: string[]; rows: number };

/** Reads a table and writes its rows to `to`, or says in a sentence why it can't be read. */
export async function readTableFile({ path, to, limits, reading }: TableJob): Promise<ReadTable | Rejection> {
  try {
    const { rows, ...table } = await readTable(path, limits, reading);
    await writeRows(to, rows);
    return { ...table, rows: rows.length };
  } catch (error) {
    if (error instanceof TableRefused) return { refused: error.message };
    throw error;
  }
}
