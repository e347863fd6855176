import type { z } from "zod";
import { statesNumber, type Statement } from "#lib/seal/statement.ts";
import { daysInMs } from "#lib/units.ts";
import { documentTypes, typeName } from "../contract/document-options.ts";
import type { Signature } from "../contract/signatures.ts";
import type { Scanned } from "../scans/validity.ts";

/** The number of a type in statements, from 1. */
export const typeNumber = (type: string) => Object.keys(documentTypes).indexOf(type) + 1;

/** A calendar date as days since 1970-01-01. */
export const dayNumber = (date: string) => Date.parse(`${date}T00:00Z`) / daysInMs(1);

const dateOf = (day: number) => new Date(day * daysInMs(1)).toISOString().slice(0, 10);

type Record = Pick<Scanned, "number" | "document_type" | "date" | "expire_date" | "pages" | "copy" | "copies">;
type Differences = z.output<typeof Signature>["differs"];

/** The fields in which a statement and its document's record differ. */
export async function compareWithRecord(statement: Statement, record: Record): Promise<Differences> {
  const number = typeof statement.number === "string" ? statement.number : "another number";
  const isNumber = await statesNumber(statement, record.number);
  const lines: Differences = [
    { field: "number", paper: isNumber ? record.number : number, record: record.number },
    { field: "type", paper: typeName(statement.type) ?? "another type", record: record.document_type },
    { field: "date", paper: dateOf(statement.date), record: record.date },
    {
      field: "last day",
      paper: statement.lastDay === null ? "" : dateOf(statement.lastDay),
      record: record.expire_date ?? "",
    },
    { field: "pages", paper: String(statement.pages), record: String(record.pages) },
    {
      field: "copy",
      paper: `${statement.copy} of ${statement.of}`,
      record: `${record.copy} of ${record.copies}`,
    },
  ];
  return lines.filter(({ paper, record }) => paper !== record);
}
