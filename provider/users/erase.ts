import { fold } from "#lib/text.ts";
import { type Actor, type Caller, isAdministrator } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { removeBulkIssuesOf } from "../bulk-issues/clean-up.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { removeUnusedImage } from "../files/images.ts";
import { conflict, forbidden, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { nameColumns, emptyDetails } from "../sessions/signup.ts";

/**
 * Erases the personal data of a removed user from their row, the audit trail, alerts and messages. The row stays under a
 * neutral name, as documents and the audit trail refer to it.
 */

/** The name of an erased user, and an address without a mailbox (RFC 2606). */
const erasedName = (id: number) => `Removed user ${id}`;
const erasedEmail = (id: number) => `removed-user-${id}@erased.invalid`;

/** In the audit trail, instead of a personal value. */
const erased = "(erased)";

/** Fields that are not personal and stay in the trail. */
const workFields = new Set(["branch", "staff", "active"]);

/** Erases a removed user's personal data. It can't be undone. */
export async function eraseUser(services: Services, caller: Caller, id: number) {
  const { now, files } = services;
  const unreferenced = await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (!isAdministrator(actor)) throw forbidden();
    const user = await findPerson(transaction, actor, id);
    if (user.active === 1) throw conflict(`${user.name} can still sign in: remove the user first`);
    if (user.erased_at !== null) throw conflict("The personal data of this user was erased before");
    const words = await personalWords(transaction, user);
    await transaction
      .updateTable("users")
      .set({
        ...emptyDetails,
        password_hash: null,
        invited_at: null,
        ...nameColumns(erasedName(id), erasedEmail(id)),
        erased_at: now().toISOString(),
      })
      .set({ version: user.version + 1 })
      .where("id", "=", id)
      .execute();
    const bulkIssues = await removeBulkIssuesOf(transaction, id);
    for (const table of [
      "email_changes",
      "tokens",
      "known_browsers",
      "outbox",
      "alert_mentions",
      "bulk_mappings",
      "calendar_feeds",
      "second_factors",
      "recovery_codes",
      "passkeys",
      "api_keys",
      "default_views",
      "identities",
      "saved_views",
    ] as const) {
      await transaction.deleteFrom(table).where("user_id", "=", id).execute();
    }
    await eraseInBulkActions(transaction, user, words);
    // Rows of a file may name anybody of the company, and can be imported again.
    const imports = transaction.deleteFrom("imports").where("company_id", "=", user.company_id);
    await imports.where((eb) => eb.or([eb("status", "!=", "running"), eb("user_id", "=", id)])).execute();
    await transaction.deleteFrom("reset_requests").where("email_key", "=", user.email_key).execute();
    await eraseInTrail(transaction, user, words);
    await eraseInTexts(transaction, user, words);
    const drafts = (await services.removeDrafts?.(transaction, id)) ?? [];
    await audit(transaction, {
      actor,
      action: "erased",
      subject: { entity: "user", id, name: erasedName(id) },
      at: now(),
    });
    return { image: user.image_key, folders: [...drafts, ...bulkIssues] };
  });
  await removeUnusedImage(services, unreferenced.image);
  for (const folder of unreferenced.folders) await files.removeAll(folder);
}

/** An erased user can't become another person, who would then be the author of what the first one did. */
export async function rejectErased(db: Db, id: number) {
  const erased = db.selectFrom("users").where("id", "=", id).where("erased_at", "is not", null).select("id");
  if (await erased.executeTakeFirst()) throw conflict("The personal data of this user was erased: add a new user");
}

async function findPerson(db: Db, actor: Actor, id: number) {
  const users = db.selectFrom("users").where("id", "=", id).where("company_id", "=", actor.company_id);
  const user = await users.selectAll().executeTakeFirst();
  if (!user) throw notFound();
  return user;
}

type Person = Awaited<ReturnType<typeof findPerson>>;

/** The person's names and addresses, former ones as well. */
type Words = { replaced(text: string): string; isIn(text: string): boolean };

async function personalWords(db: Db, user: Person): Promise<Words> {
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
export function createWordMatcher(words: string[], replacement: string): Words {
  const sorted = words.filter((word) => word.length > 1 && word !== erased).toSorted((a, b) => b.length - a.length);
  if (sorted.length === 0) return { replaced: (text) => text, isIn: () => false };
  const any = sorted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return {
    replaced: (text) => text.replace(pattern, () => replacement),
    isIn: (text) => text.search(pattern) >= 0,
  };
}

const batchSize = 500;

/** Erases the person in the company's audit trail: as actor, as subject and in changed values. */
async function eraseInTrail(db: Db, { id, company_id }: Person, words: Words) {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom("audit")
      .where("company_id", "=", company_id)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .select([
        "id",
        "trail",
        "actor_id",
        "actor",
        "api_key",
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
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}

type StoredEntry = {
  trail: string;
  actor_id: number;
  actor: string;
  api_key: string;
  entity: string;
  entity_id: number;
  entity_name: string;
} & {
  changes: string;
  browser: string;
  network: string;
};

function erasedEntry(row: StoredEntry, id: number, words: Words) {
  const [isBy, isAbout] = [row.actor_id === id, row.entity === "user" && row.entity_id === id];
  const others = row.entity === "user" && !isAbout;
  const noted = JSON.parse(row.changes) as AuditEntry["changes"];
  const valueOf = (field: string, value: AuditEntry["changes"][number]["before"]) => {
    if (isAbout && row.trail === "changes" && value !== null && !workFields.has(field)) return erased;
    // Another user may have this name.
    if (others && field === "name") return value;
    return typeof value === "string" ? words.replaced(value) : value;
  };
  const changes = noted.map(({ field, before, after }) => ({
    field: words.replaced(field),
    before: valueOf(field, before),
    after: valueOf(field, after),
  }));
  return {
    actor: isBy ? erasedName(id) : row.actor,
    entity_name: isAbout ? erasedName(id) : row.entity_name,
    changes: JSON.stringify(changes),
    api_key: isBy && row.api_key !== "" ? erased : words.replaced(row.api_key),
    ...((isBy || isAbout) && { browser: "", network: "" }),
  };
}

/** Deletes the person's own bulk actions, and erases them in those of others. */
async function eraseInBulkActions(db: Db, { id, company_id }: Person, words: Words) {
  await db.deleteFrom("bulk_actions").where("user_id", "=", id).execute();
  const ofCompany = db.selectFrom("bulk_actions").where("company_id", "=", company_id);
  const ofUsers = ofCompany.where("noun", "=", "users").select("id");
  const about = db.updateTable("bulk_action_rows").where("record_id", "=", id).where("bulk_action_id", "in", ofUsers);
  await about.set({ label: erasedName(id) }).execute();
  for (const { id: action, parameters } of await ofCompany.select(["id", "parameters"]).execute()) {
    if (!words.isIn(parameters)) continue;
    const change = db.updateTable("bulk_actions").set({ parameters: words.replaced(parameters) });
    await change.where("id", "=", action).execute();
  }
  const notes = await db
    .selectFrom("bulk_action_rows")
    .where("bulk_action_id", "in", ofCompany.where("noun", "=", "alerts").select("id"))
    .select(["id", "given", "before"])
    .execute();
  for (const { id: row, given, before } of notes) {
    if (!words.isIn(`${given}\n${before}`)) continue;
    const change = { given: words.replaced(given), before: words.replaced(before) };
    await db.updateTable("bulk_action_rows").set(change).where("id", "=", row).execute();
  }
}

/** Erases the person in notes on alerts and in pending messages to other users. */
async function eraseInTexts(db: Db, { company_id }: Person, words: Words) {
  const alerts = await db
    .selectFrom("alerts")
    .where("company_id", "=", company_id)
    .select(["id", "reason", "note", "reopened_because"])
    .execute();
  for (const { id, ...texts } of alerts) {
    if (!words.isIn(Object.values(texts).join("\n"))) continue;
    const replaced = {
      reason: words.replaced(texts.reason),
      note: words.replaced(texts.note),
      reopened_because: words.replaced(texts.reopened_because),
    };
    await db.updateTable("alerts").set(replaced).where("id", "=", id).execute();
  }
  await eraseInViews(db, company_id, words);
  await eraseInComments(db, company_id, words);
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

/** Erases the person in the names and filters of colleagues' saved views. */
async function eraseInViews(db: Db, companyId: number, words: Words) {
  const views = db.selectFrom("saved_views").where("company_id", "=", companyId);
  for (const { id, name, query } of await views.select(["id", "name", "query"]).execute()) {
    const filters = [...new URLSearchParams(query)];
    if (!words.isIn([name, ...filters.map(([, value]) => value)].join("\n"))) continue;
    const replaced = filters.map(([field, value]) => [field, words.replaced(value)]);
    const columns = { name: words.replaced(name), query: new URLSearchParams(replaced).toString() };
    // No typed name has this character, so that two names which become one are no conflict.
    const renamed = columns.name !== name && { name_key: `${fold(columns.name)}\u007F${id}` };
    await db
      .updateTable("saved_views")
      .set({ ...columns, ...renamed })
      .where("id", "=", id)
      .execute();
  }
}

async function eraseInComments(db: Db, companyId: number, words: Words) {
  const comments = await db
    .selectFrom("alert_comments")
    .innerJoin("alerts", "alerts.id", "alert_comments.alert_id")
    .where("alerts.company_id", "=", companyId)
    .select(["alert_comments.id", "text"])
    .execute();
  for (const { id, text } of comments) {
    if (!words.isIn(text)) continue;
    await db
      .updateTable("alert_comments")
      .set({ text: words.replaced(text) })
      .where("id", "=", id)
      .execute();
  }
}
