import { z } from "zod";
import { fold, foldEmail } from "#lib/text.ts";
import { type Area, areas } from "../contract/permissions.ts";
import { founderFields } from "../contract/sessions.ts";
import { insertFirstReasons } from "../company/withdrawal-reasons.ts";
import { audit } from "../audit/audit-queries.ts";
import { defaultTariffId } from "../contract/reference.ts";
import type { Db } from "../db/tables.ts";
import { auditedUser } from "../users/user-queries.ts";
import { invalid, HttpError } from "../http/errors.ts";
import { issueToken } from "./tokens.ts";

/** The same permission on every area. */
export const everyArea = <Permission extends string>(permission: Permission) =>
  Object.fromEntries(areas.map((area) => [area, permission])) as Record<Area, Permission>;

/** The access groups of a new company (`docs/specification.md` section 6). */
const firstGroups: Record<string, Record<Area, string>> = {
  Administrator: everyArea("C:R/W/C"),
  "Branch Inspector": { ...everyArea("C:R"), docs: "B:R", branches: "B:R", alerts: "B:R", map: "B:R", users: "B:R" },
  Accountant: { ...everyArea("C:R"), docs: "C:R/W/C" },
};

const founder = z.object(founderFields);

/** Inserts a company with its access groups and first administrator. Returns the administrator's id. */
export async function insertCompany(
  db: Db,
  input: { company: string; name: string; email: string },
  password_hash: string | null,
  now: Date,
): Promise<number> {
  const parsed = founder.safeParse(input);
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
  await insertFirstReasons(db, company_id);
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
      // The operator, who makes companies, vouches for their founders.
      email_proved: 1,
      taken_over: password_hash === null ? 0 : 1,
      created_at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { timezone } = newCompany;
  const subject = { entity: "company", id: company_id, name: company } as const;
  await audit(db, {
    actor: { id, name, company_id },
    action: "founded",
    subject,
    at: now,
    after: { name: company, timezone },
  });
  const after = await auditedUser(db, id);
  await audit(db, {
    actor: { id, name, company_id },
    action: "added",
    subject: { entity: "user", id, name },
    at: now,
    after,
  });
  return id;
}

const contact = { email: "", phone: "", country: "", city: "", index: "", address: "", image_key: null };

/** The columns of a new company. */
const newCompany = {
  ...contact,
  active: 1,
  timezone: "Europe/London",
  tariff_id: defaultTariffId,
  documents: 0,
  pages: 0,
  version: 1,
};

/** A name and an email address with the folded keys for search. */
export const nameColumns = (name: string, email: string) => ({
  name,
  name_key: fold(name),
  email,
  email_key: foldEmail(email),
});

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

/** The columns of a new user. */
export const newUser = { ...emptyDetails, active: 1, version: 1 };

/** Inserts the first company; throws 401 once there is one. */
export async function insertFirstCompany(...[db, ...founding]: Parameters<typeof insertCompany>) {
  if (await hasCompany(db))
    throw new HttpError(401, "There is a company here already. Ask its administrator to invite you.");
  return insertCompany(db, ...founding);
}

export const hasCompany = async (db: Db) =>
  (await db.selectFrom("companies").select("id").limit(1).executeTakeFirst()) !== undefined;

/** A token for the first administrator's link, undefined once there is a company. Earlier ones are revoked. */
export async function firstStartToken(db: Db, now: Date): Promise<string | undefined> {
  await db.deleteFrom("tokens").where("kind", "=", "first").execute();
  if (await hasCompany(db)) return undefined;
  return issueToken(db, "first", null, now);
}
