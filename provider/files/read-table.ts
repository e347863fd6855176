import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type { TableLimits } from "#lib/intake/tables/table-file.ts";
import { readRows, type WrittenRow } from "#lib/intake/tables/table-rows.ts";
import type { ReadTable } from "#lib/page-files/reports/table.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import type { Actor } from "../access.ts";
import { tableSeparators, type TableSeparator } from "../contract/table-options.ts";
import type { TableFacts, tableReading } from "../contract/table-reading.ts";
import { invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { actorRequester } from "./requesters.ts";

/** Tables are read in the process that opens page files, which writes their rows to a file. */

/** How a caller wants a table to be read. */
export type Reading = { [Name in keyof typeof tableReading]: z.output<(typeof tableReading)[Name]> };

export type GivenTable = {
  /** On this machine. */
  path: string;
  limits: TableLimits;
  reading: Reading;
  /** The field at which a refusal is shown. */
  field: string;
};

type Asking = { actor: Actor; request: Request };

/** Rows that are checked and stored before other requests are answered. */
const batchSize = 25;

/**
 * Calls `use` with a table and its rows, some at a time. Throws 422 with the refusal of the file, 503 if too much is waiting or the
 * server ends, and the abort's reason once the caller has left.
 */
export async function withTable<T>(
  { db, files, pageFiles }: Pick<Services, "db" | "files" | "pageFiles">,
  { actor, request }: Asking,
  { path, limits, reading, field }: GivenTable,
  use: (table: ReadTable, rows: AsyncIterable<WrittenRow[]>) => Promise<T>,
): Promise<T> {
  const { encoding, separator, sheet, hidden } = reading;
  const company = db.selectFrom("companies").where("id", "=", actor.company_id).select("language");
  const { language } = await company.executeTakeFirstOrThrow();
  const options = {
    encoding,
    separator: separator && tableSeparators[separator],
    sheet,
    withHidden: hidden === "include",
    language,
  };
  const signal = AbortSignal.any([request.signal, pageFiles.stopping]);
  return withWorkFile(files, async (to) => {
    const table = await pageFiles.work(actorRequester(actor, signal), (jobs) =>
      jobs.readTable({ path, to, limits, reading: options }),
    );
    if ("refused" in table) throw invalid({ [field]: table.refused });
    return use(table, untilAborted(readRows(to, batchSize), signal));
  });
}

async function* untilAborted<T>(batches: AsyncIterable<T>, signal: AbortSignal) {
  for await (const batch of batches) {
    signal.throwIfAborted();
    yield batch;
    await setImmediate();
  }
}

/** How a table was read, in the contract's form. */
export function tableFacts({ format, encoding, separator, sheet, sheets, ...table }: ReadTable): TableFacts {
  const named = Object.entries(tableSeparators).find(([, text]) => text === separator);
  const { hiddenRows: hidden_rows, hiddenColumns: hidden_columns, withHidden } = table;
  const hidden = withHidden ? "include" : "skip";
  const name = (named?.[0] ?? "") as TableSeparator | "";
  return { format, encoding, separator: name, sheet, sheets, hidden, hidden_rows, hidden_columns };
}

/** The same as it is stored; null for a table that was read before this was. */
export const storedFacts = (facts: string) => (facts ? (JSON.parse(facts) as TableFacts) : null);
