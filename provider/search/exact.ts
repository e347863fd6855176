import { type Actor, documentsWithin, usersWithin } from "../access.ts";
import type { Found } from "../contract/search.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { readCode } from "../documents/codes.ts";
import { isReadAlike, numberColumns } from "../documents/numbers.ts";
import { foldEmail } from "#lib/text.ts";

/** The document or user that a text names, if the actor may see it. */
export async function findExact(db: Db, actor: Actor, text: string): Promise<Found["exact"]> {
  const id =
    (await documentByNumber(db, actor, text)) ??
    (await documentByCode(db, actor, readCode(typedCode(text)) ?? readCode(text)));
  if (id !== undefined) return { kind: "document", id };
  const user = text.includes("@") ? await userByEmail(db, actor, text) : undefined;
  return user === undefined ? null : { kind: "user", id: user };
}

/** Whether a text has the form of a code, but can't be one. */
export function isMistypedCode(text: string) {
  const typed = typedCode(text);
  const characters = typed.replace(/[\s-]/g, "");
  const isGrouped = /^(\w{4}[\s-]){4}\w$/.test(typed);
  // Words of together 17 letters are no code: of those, one in a hundred has fewer than two digits.
  const isCode = typed !== text || isGrouped || /^\w*\d\w*\d\w*$/.test(typed);
  return isCode && /^[\da-z]{17}$/i.test(characters) && readCode(typed) === undefined;
}

/** The code in the address of a verification page; other texts as they are. */
const typedCode = (text: string) => /\/v\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;

const readable = (db: Db, actor: Actor) =>
  db.selectFrom("documents").where(documentsWithin(actor, "read")).select("documents.id");

async function documentByNumber(db: Db, actor: Actor, text: string) {
  const { number_key, number_read } = numberColumns(text);
  const rows = await readable(db, actor)
    .where("documents.number_read", "=", number_read)
    .select(["documents.number", "documents.number_key"])
    .execute();
  const exact = rows.find((row) => row.number_key === number_key);
  return (exact ?? rows.find(({ number }) => isReadAlike(number, text)))?.id;
}

async function documentByCode(db: Db, actor: Actor, code: string | undefined) {
  if (!code) return undefined;
  const document = await readable(db, actor).where("documents.code", "=", code).executeTakeFirst();
  if (document) return document.id;
  const ofCopy = db.selectFrom("document_copies").where("code", "=", code).select("document_id");
  return (await readable(db, actor).where("documents.id", "=", ofCopy).executeTakeFirst())?.id;
}

async function userByEmail(db: Db, actor: Actor, text: string) {
  const user = db
    .selectFrom("users")
    .where(usersWithin(actor, "users", "read"))
    .where("users.email_key", "=", foldEmail(text))
    .where("users.active", "=", TRUE);
  return (await user.select("users.id").executeTakeFirst())?.id;
}
