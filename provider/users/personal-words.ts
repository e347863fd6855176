import { fold } from "#lib/text.ts";
import type { Actor } from "../access.ts";
import type { AuditEntry } from "../contract/audit.ts";
import type { Db } from "../db/tables.ts";
import { notFound } from "../http/errors.ts";

/** The name of an erased user. */
export const erasedName = (id: number) => `Removed user ${id}`;

/** In the audit trail, instead of a personal value. */
export const erased = "(erased)";

export async function findPerson(db: Db, actor: Actor, id: number) {
  const users = db.selectFrom("users").where("id", "=", id).where("company_id", "=", actor.company_id);
  const user = await users.selectAll().executeTakeFirst();
  if (!user) throw notFound();
  return user;
}

export type Person = Awaited<ReturnType<typeof findPerson>>;

/** The person's names and addresses, former ones as well. */
export type PersonalWords = { replaced(text: string): string; isIn(text: string): boolean };

export async function personalWords(db: Db, user: Person): Promise<PersonalWords> {
  const entries = await db
    .selectFrom("audit")
    .where("company_id", "=", user.company_id)
    .where((eb) =>
      eb.or([eb("actor_id", "=", user.id), eb.and([eb("entity", "=", "user"), eb("entity_id", "=", user.id)])]),
    )
    .orderBy("id")
    .select(["actor_id", "actor", "entity", "entity_id", "entity_name", "changes"])
    .execute();
  const names = new Set<string>();
  for (const { actor_id, actor, entity, entity_id, entity_name, changes } of entries) {
    if (actor_id === user.id) names.add(actor);
    if (entity !== "user" || entity_id !== user.id) continue;
    names.add(entity_name);
    for (const { field, before, after } of JSON.parse(changes) as AuditEntry["changes"]) {
      if (!["name", "email", "pending_email", "phone", "address"].includes(field)) continue;
      for (const value of [before, after]) if (typeof value === "string") names.add(value);
    }
  }
  for (const current of [user.address, user.phone, user.email, user.name]) {
    names.delete(current);
    names.add(current);
  }
  const words = [...names].slice(-maxWords);
  const others = await sharedWords(db, user, words);
  return createWordMatcher(
    words.filter((word) => !others.has(fold(word))),
    erasedName(user.id),
  );
}

/** The newest names and addresses are searched for, as users may have had any number. */
const maxWords = 50;

/** The words that are also names of other users, branches or documents, which stay. */
async function sharedWords(db: Db, { id, company_id }: Person, words: string[]): Promise<Set<string>> {
  const users = await db
    .selectFrom("users")
    .where("company_id", "=", company_id)
    .where("id", "!=", id)
    .select(["name", "email"])
    .execute();
  const branches = await db.selectFrom("branches").where("company_id", "=", company_id).select("name").execute();
  const documents = await db
    .selectFrom("documents")
    .where("company_id", "=", company_id)
    .where((eb) => eb.or([eb("name", "in", words), eb("number", "in", words)]))
    .select(["name", "number"])
    .limit(1000)
    .execute();
  const groups = await db.selectFrom("access_groups").where("company_id", "=", company_id).select("name").execute();
  const all = [...users, ...branches, ...documents, ...groups].flatMap((row) => Object.values(row));
  return new Set(all.map(fold));
}

/** The longest first, so that an address is replaced as a whole if the name is a part of it. */
export function createWordMatcher(words: string[], replacement: string): PersonalWords {
  const sorted = words.filter((word) => word.length > 1 && word !== erased).toSorted((a, b) => b.length - a.length);
  if (sorted.length === 0) return { replaced: (text) => text, isIn: () => false };
  const any = sorted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return {
    replaced: (text) => text.replace(pattern, () => replacement),
    isIn: (text) => text.search(pattern) >= 0,
  };
}
