import { decodeArray, encodeArray, areEqual, type CborValue } from "./cbor.ts";
import { sha256 } from "./sha256.ts";

/** A signed code's statement about its document, as of the day on which the code was made. */
export type Statement = {
  /** Of the document; one longer than `maxNumberBytes` as the first eight bytes of its SHA-256. */
  number: string | Uint8Array;
  /** Its type, by position in the list of types, from 1. */
  type: number;
  /** The document's date, in days since 1970-01-01. */
  date: number;
  /** The last day on which it is in force, in days since 1970-01-01; null for no end. */
  lastDay: number | null;
  /** The first 16 bytes of the SHA-256 of the sealed PDF without its stamp; null if it was not known. */
  digest: Uint8Array | null;
  pages: number;
  /** Which copy, from 1, of how many. */
  copy: number;
  of: number;
  /** The record's version. */
  revision: number;
};

const version = 1;
const maxNumberBytes = 24;
const hashedNumberBytes = 8;
const digestBytes = 16;
/** 9999-12-31 */
const maxDay = 2_932_896;
const fields = 10;

/** The claims of a statement: a CBOR array of ten, its version first. */
export const encodeStatement = (statement: Statement) =>
  encodeArray([
    version,
    statement.number,
    statement.type,
    statement.date,
    statement.lastDay,
    statement.digest,
    statement.pages,
    statement.copy,
    statement.of,
    statement.revision,
  ]);

/** The statement of `claims`; "newer" for a version that came later; undefined for anything else. */
export function decodeStatement(claims: Uint8Array): Statement | "newer" | undefined {
  const values = decodeArray(claims);
  if (!values) return undefined;
  const [first, number, type, date, lastDay, digest, pages, copy, of, revision] = values;
  if (typeof first !== "number" || first < version) return undefined;
  if (first > version) return "newer";
  const isSound =
    values.length === fields &&
    isNumber(number) &&
    isCount(type) &&
    isDay(date) &&
    (lastDay === null || isDay(lastDay)) &&
    (digest === null || isBytes(digest, digestBytes)) &&
    isCount(pages) &&
    isCount(copy) &&
    isCount(of) &&
    copy <= of &&
    isCount(revision);
  return isSound ? { number, type, date, lastDay, digest, pages, copy, of, revision } : undefined;
}

/** A document's number as a statement has it. */
export async function statedNumber(number: string): Promise<string | Uint8Array> {
  const normalised = number.normalize("NFC");
  const bytes = new TextEncoder().encode(normalised);
  return bytes.length <= maxNumberBytes ? normalised : (await sha256(bytes)).subarray(0, hashedNumberBytes);
}

/** Whether a statement is of the document with this number. */
export async function statesNumber(statement: Statement, number: string): Promise<boolean> {
  const stated = await statedNumber(number);
  if (typeof stated === "string") return statement.number === stated;
  return typeof statement.number !== "string" && areEqual(statement.number, stated);
}

const isBytes = (value: CborValue | undefined, length: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length === length;

const isNumber = (value: CborValue | undefined): value is string | Uint8Array =>
  typeof value === "string"
    ? value !== "" && value === value.normalize("NFC") && new TextEncoder().encode(value).length <= maxNumberBytes
    : isBytes(value, hashedNumberBytes);

const isCount = (value: CborValue | undefined): value is number => typeof value === "number" && value >= 1;

const isDay = (value: CborValue | undefined): value is number => typeof value === "number" && Math.abs(value) <= maxDay;
