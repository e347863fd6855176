import { fold } from "#lib/text.ts";
import { type Caller, isAdministrator } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { removeBulkIssuesOf } from "../bulk-issues/clean-up.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { removeUnusedImage } from "../files/images.ts";
import { conflict, forbidden } from "../http/errors.ts";
import { deleteRecipients } from "../recipients/recipients.ts";
import type { Services } from "../services.ts";
import { eraseInTrail } from "./erase-in-trail.ts";
import { erasedName, findPerson, type Person, personalWords, type PersonalWords } from "./personal-words.ts";
import { nameColumns, emptyDetails } from "../sessions/signup.ts";

/**
 * Erases the personal data of a removed user from their row, the audit trail, alerts and messages. The row stays under a
 * neutral name, as documents and the audit trail refer to it.
 */

/** An address without a mailbox (RFC 2606). */
const erasedEmail = (id: number) => `removed-user-${id}@erased.invalid`;

const namesAtDirectory = { user_name: "", user_name_key: "", given_name: "", family_name: "" };

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
        ...namesAtDirectory,
        external_id: "",
        department: "",
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
    // Rows of a file may name any user of the company, and can be imported again.
    const imports = transaction.deleteFrom("imports").where("company_id", "=", user.company_id);
    await imports.where((eb) => eb.or([eb("status", "!=", "running"), eb("user_id", "=", id)])).execute();
    await transaction.deleteFrom("reset_requests").where("email_key", "=", user.email_key).execute();
    await deleteRecipients(transaction, user.company_id, user.email_key);
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

/** Deletes the person's own bulk actions, and erases them in those of others. */
async function eraseInBulkActions(db: Db, { id, company_id }: Person, words: PersonalWords) {
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
async function eraseInTexts(db: Db, { company_id }: Person, words: PersonalWords) {
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
  await eraseInReleases(db, company_id, words);
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
async function eraseInViews(db: Db, companyId: number, words: PersonalWords) {
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

/** Erases the person in drafts that await release, whose owner stays by their id, and in reasons for returning them. */
async function eraseInReleases(db: Db, companyId: number, words: PersonalWords) {
  const releases = db.selectFrom("releases").where("company_id", "=", companyId);
  for (const { id, ...texts } of await releases.select(["id", "form", "reason"]).execute()) {
    if (!words.isIn(Object.values(texts).join("\n"))) continue;
    const replaced = { form: words.replaced(texts.form), reason: words.replaced(texts.reason) };
    await db.updateTable("releases").set(replaced).where("id", "=", id).execute();
  }
}

async function eraseInComments(db: Db, companyId: number, words: PersonalWords) {
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
