import type { Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { audit } from "../db/audit.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { activeUsers } from "./bill.ts";

/**
 * Puts the actor's company on another plan, at once. Plans for fewer users than it has are refused; those for more are
 * not, as their minimum is paid anyway. Choosing the present plan again changes nothing.
 */
export async function changeTariff(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const wanted = await transaction.selectFrom("tariffs").selectAll().where("id", "=", id).executeTakeFirst();
    if (!wanted) throw invalid({ tariff: "Choose a tariff from the list" });
    const present = await transaction
      .selectFrom("companies")
      .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
      .where("companies.id", "=", actor.company_id)
      .select(["companies.name as company", "tariffs.id", "tariffs.name"])
      .executeTakeFirstOrThrow();
    if (present.id === wanted.id) return;
    if (wanted.price_per_user === null) throw conflict(`${wanted.name} is by agreement: contact us`);
    const users = await activeUsers(transaction, actor.company_id);
    if (wanted.max_users !== null && users > wanted.max_users) {
      throw conflict(
        `${wanted.name} is for ${planSizeLabel(wanted)}; you have ${users}: choose a tariff for more, or remove users first`,
      );
    }
    await transaction
      .updateTable("companies")
      .set((eb) => ({ tariff_id: wanted.id, version: eb("version", "+", 1) }))
      .where("id", "=", actor.company_id)
      .execute();
    const subject = { entity: "company", id: actor.company_id, name: present.company } as const;
    const change = { before: { tariff: present.name }, after: { tariff: wanted.name } };
    await audit(transaction, actor, "changed", subject, { at: now(), ...change });
  });
}

const planSizeLabel = ({ min_users, max_users }: { min_users: number; max_users: number | null }) =>
  min_users === max_users ? `${min_users} user${min_users === 1 ? "" : "s"}` : `${min_users}-${max_users} users`;
