import type { Selectable } from "kysely";
import { z } from "zod";
import { foldEmail } from "#lib/text.ts";
import { email as emailField, requiredText } from "../contract/fields.ts";
import { audit } from "../audit/audit-queries.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";
import { auditedUser } from "../users/user-queries.ts";
import { identityConnectedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { noPassword } from "../passwords/passwords.ts";
import type { Services } from "../services.ts";
import { nameColumns, newUser } from "../sessions/signup.ts";
import { takeOver, usersWithEmail } from "../users/ownership.ts";
import { revokeLinks, revokeTokens } from "../sessions/tokens.ts";
import { EmailTaken, rethrowEmailTaken } from "../users/profile/email-taken.ts";
import type { Person } from "./claims.ts";
import { type Configuration, operatorsCompany } from "./configuration.ts";
import { groupForClaim } from "./groups.ts";
import { SignInRefused, words } from "./refusals.ts";
import { type Account, followClaim, LastAdministrator, singleSignOn } from "./rights.ts";

/** The account of a person whom an identity provider vouches for: by (iss, sub), once by email, or a new one. */

type Identity = { configuration: Configuration; person: Person };

/**
 * Opens a session of the account, with the rights that the claim gives now. A removal of the user that comes later ends it.
 * Throws `SignInRefused`.
 */
export async function signInAs(
  services: Services,
  identity: Identity,
  open: (db: Db, userId: number) => Promise<string>,
): Promise<{ user: { id: number; name: string; company_id: number }; token: string }> {
  const companyId = await companyOf(services, identity);
  const result = await inCompanyTransaction(services.db, companyId, async (db) => {
    const account = await findAccount(services, db, identity, companyId);
    const refusal = await followClaim(services, db, account, identity.person);
    return refusal ? { refusal } : { account, token: await open(db, account.id) };
  }).catch(async (error: unknown) => {
    // The transaction is rolled back, but no session keeps rights that are gone.
    if (error instanceof LastAdministrator) await revokeTokens(services.db, error.userId);
    throw error instanceof EmailTaken
      ? new SignInRefused(words.emailInUse, "another user has the email address")
      : error;
  });
  services.nudgeMail();
  if ("refusal" in result) throw result.refusal;
  const { id, name } = result.account;
  return { user: { id, name, company_id: companyId }, token: result.token };
}

/** The company of the account. Throws `SignInRefused` if there is none. */
async function companyOf(services: Services, { configuration, person }: Identity): Promise<number> {
  const { db } = services;
  const identity = await identityRows(db, configuration, person)
    .innerJoin("users", "users.id", "identities.user_id")
    .select("users.company_id")
    .executeTakeFirst();
  const companyId = identity?.company_id ?? configuration.companyId ?? (await companyByEmail(services, person));
  if (companyId === undefined) {
    throw await noAccount(db, person, "no account has the email address, and no company is set for new ones");
  }
  const open = db.selectFrom("companies").where("id", "=", companyId).where("active", "=", TRUE).select("id");
  if (!(await open.executeTakeFirst())) throw new SignInRefused(words.closed, "the company is not active");
  return companyId;
}

/** For the operator's identity provider: the company of the user who proved that email, or the one where accounts are made. */
async function companyByEmail(services: Services, { email, isEmailVerified }: Person) {
  const proved = usersWithEmail(services.db, email).where("email_proved", "=", 1).select("company_id");
  const user = email && isEmailVerified ? await proved.executeTakeFirst() : undefined;
  return user?.company_id ?? (await operatorsCompany(services));
}

/** For a person who is no user: whether the address that they have waits somewhere for a proof. */
async function noAccount(db: Db, { email, isEmailVerified }: Person, reason: string) {
  const waiting = email && isEmailVerified && (await usersWithEmail(db, email).select("users.id").executeTakeFirst());
  return waiting
    ? new SignInRefused(words.unproved, "another company has a user with the email address, who has not proved it")
    : new SignInRefused(words.noAccount, reason);
}

const identityRows = (db: Db, { configuredBy }: Configuration, { issuer, subject }: Person) =>
  db
    .selectFrom("identities")
    .where("configured_by", "=", configuredBy)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject);

async function findAccount(services: Services, db: Db, identity: Identity, companyId: number): Promise<Account> {
  const { now } = services;
  const account = await accountRows(db, identity).executeTakeFirst();
  if (account) {
    // An email taken back by another company's user means another company's account.
    if (account.company_id !== companyId) throw new SignInRefused(words.noAccount, "the account is of another company");
    await db
      .updateTable("identities")
      .set({ used_at: now().toISOString() })
      .where("id", "=", account.identity)
      .execute();
    return account;
  }
  const { person } = identity;
  if (!person.email || !person.isEmailVerified) {
    throw new SignInRefused(words.unverified, "no verified email address, and the subject is not known");
  }
  const user = await userWithEmail(db, companyId, person.email);
  if (user && user.active === 0) throw new SignInRefused(words.removed, "the user with the email address was removed");
  if (user) await connect(services, db, identity, user);
  else await addUser(services, db, identity, companyId);
  return accountRows(db, identity).executeTakeFirstOrThrow();
}

const accountRows = (db: Db, { configuration, person }: Identity) =>
  identityRows(db, configuration, person)
    .innerJoin("users", "users.id", "identities.user_id")
    .select(["identities.id as identity", "identities.access_group_id as claimed", "identities.left_at"])
    .select(["users.id", "users.name", "users.company_id", "users.active", "users.access_group_id", "users.version"]);

/** The company's user with an email address; of removed ones the newest. */
const userWithEmail = (db: Db, companyId: number, email: string) =>
  db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .where("email_key", "=", foldEmail(email))
    .orderBy("active", "desc")
    .orderBy("id", "desc")
    .select(["id", "name", "email", "active", "company_id", "password_hash", "taken_over"])
    .executeTakeFirst();

type UserRow = Pick<
  Selectable<Tables["users"]>,
  "id" | "name" | "email" | "company_id" | "password_hash" | "taken_over"
>;

/** Connects a user to the person with their verified email, once: a second person with the same email is refused. */
async function connect(services: Services, db: Db, { configuration, person }: Identity, user: UserRow) {
  const { now } = services;
  const { id, name, email, company_id, password_hash, taken_over } = user;
  const others = db.selectFrom("identities").where("user_id", "=", id).where("issuer", "=", person.issuer);
  const other = others.where("configured_by", "=", configuration.configuredBy).select("id");
  if (await other.executeTakeFirst()) {
    throw new SignInRefused(words.other, "the user with the email address is connected to another subject");
  }
  await insertIdentity(db, { configuration, person }, id, now());
  const subject = { entity: "user", id, name } as const;
  const actor = { id, name, company_id };
  await takeOver(services, db, { id, name, email, company_id });
  const change = {
    ...(taken_over === 0 && { password_hash: noPassword }),
    ...(configuration.configuredBy === 0 && { email_proved: 1 }),
  };
  if (Object.keys(change).length > 0) {
    await db.updateTable("users").set(change).where("id", "=", id).execute().catch(rethrowEmailTaken);
  }
  if (password_hash === null) await audit(db, { actor, action: "joined", subject, at: now() });
  // An invitation's link would set a password.
  await revokeLinks(db, id);
  await audit(db, { actor, action: "identity connected", subject, at: now() });
  const message = identityConnectedMessage({ email }, new URL(configuration.issuer).host);
  await enqueueMessage(services, db, message, { userId: id });
}

const insertIdentity = (db: Db, { configuration, person }: Identity, user_id: number, at: Date) =>
  db
    .insertInto("identities")
    .values({
      user_id,
      configured_by: configuration.configuredBy,
      issuer: person.issuer,
      subject: person.subject,
      access_group_id: null,
      left_at: null,
      created_at: at.toISOString(),
      used_at: at.toISOString(),
    })
    .execute();

const newAccount = z.object({ name: requiredText("name", 100), email: emailField() });

/** Adds a user into the access group that the claim gives. */
async function addUser(services: Services, db: Db, identity: Identity, company_id: number) {
  const { now } = services;
  const { person } = identity;
  const group = person.groups && (await groupForClaim(db, company_id, person.groups));
  if (!group) throw await noAccount(db, person, "no access group is mapped to a group of the claim");
  const parsed = newAccount.safeParse({
    name: person.name.slice(0, 100).replace(/[\ud800-\udbff]$/, ""),
    email: person.email,
  });
  if (!parsed.success) throw new SignInRefused(words.emailInUse, "name or email address can't be stored");
  const { name, email } = parsed.data;
  const { id } = await db
    .insertInto("users")
    .values({
      ...newUser,
      ...nameColumns(name, email),
      company_id,
      branch_id: null,
      access_group_id: group.id,
      password_hash: noPassword,
      email_proved: identity.configuration.configuredBy === 0 ? 1 : 0,
      taken_over: 1,
      created_at: now().toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow()
    .catch(rethrowEmailTaken);
  await insertIdentity(db, identity, id, now());
  const actor = { ...singleSignOn, company_id };
  const after = await auditedUser(db, id);
  await audit(db, { actor, action: "added", subject: { entity: "user", id, name }, at: now(), after });
}
