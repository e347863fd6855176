import type { Kysely } from "kysely";
import { z } from "zod";
import { fold } from "#storage/text.ts";
import { type Area, areas } from "../contract/permissions.ts";
import { founderFields } from "../contract/sessions.ts";
import { audit } from "../db/audit.ts";
import { defaultTariffId } from "../db/reference.ts";
import type { Tables } from "../db/tables.ts";
import { auditedUser } from "../db/users.ts";
import { invalid, HttpError } from "../http/errors.ts";
import { issueToken } from "./tokens.ts";

type Db = Kysely<Tables>;

/** The same permission on every area. */
export const everyArea = <Given extends string>(permission: Given) =>
  Object.fromEntries(areas.map((area) => [area, permission])) as Record<Area, Given>;

/** The three access groups that a company starts with (`docs/specification.md` section 6). */
const firstGroups: Record<string, Record<Area, string>> = {
  Administrator: everyArea("C:R/W/C"),
  "Branch Inspector": { ...everyArea("C:R"), docs: "B:R", branches: "B:R", alerts: "B:R", map: "B:R", users: "B:R" },
  Accountant: { ...everyArea("C:R"), docs: "C:R/W/C" },
};

const founder = z.object(founderFields);

/**
 * Makes a company with its access groups and its first administrator, and returns that user's id. Without a password
 * the administrator still needs a link to set one.
 */
export async function insertCompany(
  db: Db,
  given: { company: string; name: string; email: string },
  password_hash: string | null,
  now: Date,
): Promise<number> {
  const parsed = founder.safeParse(given);
  if (!parsed.success) throw invalid(z.flattenError(parsed.error).fieldErrors);
  const { company, name, email } = parsed.data;
  const created_at = now.toISOString();
  const { id: company_id } = await db
    .insertInto("companies")
    .values({ ...newCompany, name: company, created_at })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("access_groups")
    .values(
      Object.entries(firstGroups).map(([group, permissions]) => ({
        ...permissions,
        company_id,
        name: group,
        name_key: fold(group),
        version: 1,
      })),
    )
    .execute();
  const administrators = await db
    .selectFrom("access_groups")
    .where("company_id", "=", company_id)
    .where("name", "=", "Administrator")
    .select("id")
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto("users")
    .values({
      ...newUser,
      ...nameColumns(name, email),
      company_id,
      branch_id: null,
      access_group_id: administrators.id,
      password_hash,
      created_at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { timezone } = newCompany;
  const subject = { entity: "company", id: company_id, name: company } as const;
  await audit(db, { id, name, company_id }, "founded", subject, { at: now, after: { name: company, timezone } });
  const after = await auditedUser(db, id);
  await audit(db, { id, name, company_id }, "added", { entity: "user", id, name }, { at: now, after });
  return id;
}

const contact = { email: "", phone: "", country: "", city: "", index: "", address: "", image_key: null };

/** A company as it starts: nothing known but its name. */
const newCompany = {
  ...contact,
  active: 1,
  timezone: "Europe/London",
  tariff_id: defaultTariffId,
  documents: 0,
  pages: 0,
  version: 1,
};

/** A name and an address as they are kept, ready for search. */
export const nameColumns = (name: string, email: string) => ({
  name,
  name_key: fold(name),
  email,
  email_key: fold(email),
});

/** What is known of a user beside their name and email, where that is nothing. */
export const emptyDetails = {
  phone: "",
  role: "",
  country: "",
  city: "",
  index: "",
  address: "",
  info: "",
  image_key: null,
};

/** A user of whom no more is known than a form asked. */
export const newUser = { ...emptyDetails, active: 1, version: 1 };

/** The same for who comes with the link of the first start, which is void once there is a company. */
export async function insertFirstCompany(...[db, ...founding]: Parameters<typeof insertCompany>) {
  if (await hasCompany(db))
    throw new HttpError(401, "There is a company here already. Ask its administrator to invite you.");
  return insertCompany(db, ...founding);
}

export const hasCompany = async (db: Db) =>
  (await db.selectFrom("companies").select("id").limit(1).executeTakeFirst()) !== undefined;

/** A link for the first administrator's token, or undefined once there is a company. Earlier ones end. */
export async function firstStartToken(db: Db, now: Date): Promise<string | undefined> {
  await db.deleteFrom("tokens").where("kind", "=", "first").execute();
  if (await hasCompany(db)) return undefined;
  return issueToken(db, "first", null, now);
}
