import type { Kysely } from "kysely";
import { type Actor, type Caller, isAdministrator } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { audit } from "../db/audit.ts";
import type { Tables } from "../db/tables.ts";
import { removeUnusedImage } from "../files/images.ts";
import { conflict, forbidden, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { nameColumns, emptyDetails } from "../sessions/signup.ts";

/**
 * Erasing a person who was removed. The user's row stays under a name without a person, as documents and the audit trail
 * refer to it; what the row, the trail, alerts and messages said of the person goes.
 */

type Db = Kysely<Tables>;

/** What erased users are called, and an address that can have no mailbox (RFC 2606). */
const erasedName = (id: number) => `Removed user ${id}`;
const erasedEmail = (id: number) => `removed-user-${id}@erased.invalid`;

/** In the audit trail, instead of a value of the person. */
const erased = "(erased)";

/** Fields of a user that are about work, and stay in the trail. */
const ofWork = new Set(["branch", "staff", "active"]);

/** Erases a removed user's person. It can't be undone. */
export async function eraseUser(services: Services, caller: Caller, id: number) {
  const { now, files } = services;
  const left = await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (!isAdministrator(actor)) throw forbidden();
    const user = await ofCompany(transaction, actor, id);
    if (user.active === 1) throw conflict(`${user.name} can still sign in: remove the user first`);
    if (user.erased_at !== null) throw conflict("The personal data of this user was erased before");
    const words = await wordsOf(transaction, user);
    await transaction
      .updateTable("users")
      .set({
        ...emptyDetails,
        password_hash: null,
        ...nameColumns(erasedName(id), erasedEmail(id)),
        erased_at: now().toISOString(),
      })
      .set({ version: user.version + 1 })
      .where("id", "=", id)
      .execute();
    for (const table of ["email_changes", "tokens", "known_browsers", "outbox"] as const) {
      await transaction.deleteFrom(table).where("user_id", "=", id).execute();
    }
    await transaction.deleteFrom("reset_requests").where("email_key", "=", user.email_key).execute();
    await eraseInTrail(transaction, user, words);
    await eraseInTexts(transaction, user, words);
    const drafts = (await services.removeDrafts?.(transaction, id)) ?? [];
    await audit(transaction, actor, "erased", { entity: "user", id, name: erasedName(id) }, { at: now() });
    return { image: user.image_key, drafts };
  });
  await removeUnusedImage(services, left.image);
  for (const folder of left.drafts) await files.removeAll(folder);
}

async function ofCompany(db: Db, actor: Actor, id: number) {
  const users = db.selectFrom("users").where("id", "=", id).where("company_id", "=", actor.company_id);
  const user = await users.selectAll().executeTakeFirst();
  if (!user) throw notFound();
  return user;
}

type Person = Awaited<ReturnType<typeof ofCompany>>;

/** Finds the person's names and addresses in texts, those of before as well; undefined where there are none to find. */
type Words = { replaced(text: string): string; isIn(text: string): boolean };

async function wordsOf(db: Db, user: Person): Promise<Words> {
  const entries = await db
    .selectFrom("audit")
    .where("company_id", "=", user.company_id)
    .where((eb) =>
      eb.or([eb("actor_id", "=", user.id), eb.and([eb("entity", "=", "user"), eb("entity_id", "=", user.id)])]),
    )
    .orderBy("id")
    .select(["actor_id", "actor", "entity", "entity_id", "entity_name", "changes"])
    .execute();
  const found = new Set<string>();
  for (const { actor_id, actor, entity, entity_id, entity_name, changes } of entries) {
    if (actor_id === user.id) found.add(actor);
    if (entity !== "user" || entity_id !== user.id) continue;
    found.add(entity_name);
    for (const { field, before, after } of JSON.parse(changes) as AuditEntry["changes"]) {
      if (!["name", "email", "pending_email", "phone", "address"].includes(field)) continue;
      for (const value of [before, after]) if (typeof value === "string") found.add(value);
    }
  }
  for (const current of [user.address, user.phone, user.email, user.name]) {
    found.delete(current);
    found.add(current);
  }
  const words = [...found].slice(-mostWords);
  const others = await wordsOfOthers(db, user, words);
  return findingWords(
    words.filter((word) => !others.has(word.toLowerCase())),
    erasedName(user.id),
  );
}

/** How many names and addresses of a person are looked for in texts: the newest, as each may have been typed at will. */
const mostWords = 50;

/** Those words that name somebody or something else of the company as well: what was said of that stays. */
async function wordsOfOthers(db: Db, { id, company_id }: Person, words: string[]): Promise<Set<string>> {
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
  return new Set(all.map((word) => word.toLowerCase()));
}

/** The longest first, so that an address is replaced as a whole where the name is a part of it. */
export function findingWords(words: string[], replacement: string): Words {
  const sorted = words.filter((word) => word.length > 1 && word !== erased).toSorted((a, b) => b.length - a.length);
  if (sorted.length === 0) return { replaced: (text) => text, isIn: () => false };
  const any = sorted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return {
    replaced: (text) => text.replace(pattern, () => replacement),
    isIn: (text) => text.search(pattern) >= 0,
  };
}

/** How many rows are looked at together. */
const together = 500;

/** Erases the person in the company's trail: as who did something, as what it was about, and in values of changes. */
async function eraseInTrail(db: Db, { id, company_id }: Person, words: Words) {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom("audit")
      .where("company_id", "=", company_id)
      .where("id", ">", after)
      .orderBy("id")
      .limit(together)
      .select([
        "id",
        "trail",
        "actor_id",
        "actor",
        "entity",
        "entity_id",
        "entity_name",
        "changes",
        "browser",
        "network",
      ])
      .execute();
    for (const row of rows) {
      const changed = erasedEntry(row, id, words);
      const isSame = Object.entries(changed).every(([column, value]) => row[column as keyof typeof row] === value);
      if (!isSame) await db.updateTable("audit").set(changed).where("id", "=", row.id).execute();
    }
    if (rows.length < together) return;
    after = rows.at(-1)!.id;
  }
}

type Row = {
  trail: string;
  actor_id: number;
  actor: string;
  entity: string;
  entity_id: number;
  entity_name: string;
} & {
  changes: string;
  browser: string;
  network: string;
};

function erasedEntry(row: Row, id: number, words: Words) {
  const [isBy, isAbout] = [row.actor_id === id, row.entity === "user" && row.entity_id === id];
  const others = row.entity === "user" && !isAbout;
  const said = JSON.parse(row.changes) as AuditEntry["changes"];
  const valueOf = (field: string, value: AuditEntry["changes"][number]["before"]) => {
    if (isAbout && row.trail === "changes" && value !== null && !ofWork.has(field)) return erased;
    // Another user may have the same name.
    if (others && field === "name") return value;
    return typeof value === "string" ? words.replaced(value) : value;
  };
  const changes = said.map(({ field, before, after }) => ({
    field: words.replaced(field),
    before: valueOf(field, before),
    after: valueOf(field, after),
  }));
  return {
    actor: isBy ? erasedName(id) : row.actor,
    entity_name: isAbout ? erasedName(id) : row.entity_name,
    changes: JSON.stringify(changes),
    ...((isBy || isAbout) && { browser: "", network: "" }),
  };
}

/** Erases the person in what staff wrote of alerts, and in messages to others that wait. */
async function eraseInTexts(db: Db, { company_id }: Person, words: Words) {
  const alerts = await db
    .selectFrom("alerts")
    .where("company_id", "=", company_id)
    .select(["id", "reason", "note"])
    .execute();
  for (const { id, reason, note } of alerts) {
    if (!words.isIn(`${reason}\n${note}`)) continue;
    const texts = { reason: words.replaced(reason), note: words.replaced(note) };
    await db.updateTable("alerts").set(texts).where("id", "=", id).execute();
  }
  const messages = await db
    .selectFrom("outbox")
    .innerJoin("users", "users.id", "outbox.user_id")
    .where("users.company_id", "=", company_id)
    .select(["outbox.id", "subject", "text"])
    .execute();
  for (const { id, subject, text } of messages) {
    if (!words.isIn(`${subject}\n${text}`)) continue;
    const texts = { subject: words.replaced(subject), text: words.replaced(text) };
    await db.updateTable("outbox").set(texts).where("id", "=", id).execute();
  }
}
