import { fold } from "#storage/text.ts";
import type { Db } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";
import { newNumber } from "./codes.ts";
import { ofLatinKeyboard } from "./keyboards.ts";

const isTaken = async (db: Db, companyId: number, number: string) =>
  (await db
    .selectFrom("documents")
    .where("company_id", "=", companyId)
    .where("number_key", "=", fold(number))
    .select("id")
    .executeTakeFirst()) !== undefined;

/** How a number is compared with what was read from paper: without keyboard, case, spaces and punctuation; O is 0, I and L are 1. */
const asRead = (number: string) =>
  ofLatinKeyboard(number)
    .toLocaleLowerCase("en")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/o/g, "0")
    .replace(/[il]/g, "1");

/** Whether a number that was typed from paper is a document's, and not exactly another one's of the same company. */
export async function comparePaper(db: Db, document: { company_id: number; number: string }, typed: string) {
  const { company_id, number } = document;
  const compared = compareAsRead(typed, number);
  if (compared !== "same" || fold(typed) === fold(number)) return compared;
  return (await isTaken(db, company_id, typed)) ? "other" : "same";
}

/** Compares what was typed from paper with a document's number: "" where nothing was typed. */
export function compareAsRead(typed: string, number: string): "" | "same" | "other" {
  if (asRead(typed) === asRead(number)) return typed === "" ? "" : "same";
  // Dashes for "none" are no number.
  return asRead(typed) === "" ? "" : "other";
}

/** A random number that no document of the company has. */
export async function freeNumber(db: Db, companyId: number): Promise<string> {
  let number = newNumber();
  while (await isTaken(db, companyId, number)) number = newNumber();
  return number;
}

/** Throws 422 for a number that a document of the company has. */
export async function requireFree(db: Db, companyId: number, number: string) {
  if (!(await isTaken(db, companyId, number))) return;
  throw invalid({ number: `The number ${number} is already used: choose another` });
}
