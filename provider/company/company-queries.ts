import type { Kysely, Transaction } from "kysely";
import type { Complete } from "../contract/call.ts";
import type { Company } from "../contract/company.ts";
import { imageUrl } from "../files/images.ts";
import type { Tables } from "../db/tables.ts";

/**
 * Runs writes that depend on each other (numbers, counters, the last administrator) serially within a company. Locking
 * the company's row does in PostgreSQL what SQLite does anyway.
 */
export function inCompanyTransaction<T>(
  db: Kysely<Tables>,
  companyId: number,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("companies")
      .set((eb) => ({ documents: eb.ref("documents") }))
      .where("id", "=", companyId)
      .execute();
    return work(transaction);
  });
}

/** A company as the subject of an audit entry. */
export async function companySubject(db: Kysely<Tables>, id: number) {
  const { name } = await db.selectFrom("companies").where("id", "=", id).select("name").executeTakeFirstOrThrow();
  return { entity: "company", id, name } as const;
}

/** The company profile for a reply. */
export async function companyReply(db: Kysely<Tables>, id: number) {
  const { image_key, ...company } = await db
    .selectFrom("companies")
    .where("id", "=", id)
    .select([
      "id",
      "name",
      "email",
      "phone",
      "country",
      "city",
      "index",
      "address",
      "organization_id",
      "active",
      "timezone",
      "language",
      "name_beside_keys",
      "version",
      "image_key",
    ])
    .executeTakeFirstOrThrow();
  return {
    ...company,
    active: company.active === 1,
    name_beside_keys: company.name_beside_keys === 1,
    img: imageUrl("/company", image_key),
  } satisfies Complete<typeof Company>;
}
