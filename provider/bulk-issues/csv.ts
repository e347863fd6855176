import { byteOrderMark, csvLine } from "#lib/intake/tables/csv-line.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import type { codeOrigins } from "../hosts/host-queries.ts";
import type { allBulkRows } from "./bulk-issue-replies.ts";
import type { Problem } from "./rows.ts";

/** Writes the table of a bulk issue as CSV again, to be corrected and uploaded again. */

type Rows = ReturnType<typeof allBulkRows>;
type CodeOrigin = Awaited<ReturnType<typeof codeOrigins>>;

/** The table with a column that says why, and with `codeOrigin` the number and the address in each document's code. */
export async function* bulkCsv(columns: string[], rows: Rows, codeOrigin?: CodeOrigin): AsyncGenerator<string> {
  const added = codeOrigin === undefined ? ["Why"] : ["Issued number", "Address of the code", "Why"];
  // A table that was uploaded again has these columns already; they get new values.
  const ownColumns = columns.map((name, n) => ({ name, n })).filter(({ name }) => !added.includes(name));
  yield byteOrderMark + csvLine([...ownColumns.map(({ name }) => name), ...added]);
  for await (const batch of rows) {
    let text = "";
    for (const { cells, problems, number, code, host_id } of batch) {
      const why = whyOf(JSON.parse(problems) as Problem[]);
      const values = JSON.parse(cells) as string[];
      const issued = [number ?? "", code && codeOrigin ? verifyUrl(codeOrigin({ host_id }), code) : ""];
      const own = ownColumns.map(({ n }) => values[n] ?? "");
      text += csvLine([...own, ...(codeOrigin === undefined ? [] : issued), why]);
    }
    yield text;
  }
}

const whyOf = (problems: Problem[]) =>
  problems.map(({ column, message }) => (column ? `${column}: ${message}` : message)).join(" · ");
