import type { Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { audit } from "../audit/audit-queries.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { activeUsers } from "./bill.ts";

/** Puts the actor's company on another plan, at once. Throws 409 for a plan for fewer users than it has. */
export async function changeTariff(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const chosen = await transaction.selectFrom("tariffs").selectAll().where("id", "=", id).executeTakeFirst();
    if (!chosen) throw invalid({ tariff: "Choose a tariff from the list" });
    const current = await transaction
      .selectFrom("companies")
      .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
      .where("companies.id", "=", actor.company_id)
      .select(["companies.name as company", "tariffs.id", "tariffs.name"])
      .executeTakeFirstOrThrow();
    if (current.id === chosen.id) return;
    if (chosen.price_per_user === null) throw conflict(`${chosen.name} is by agreement: contact us`);
    const users = await activeUsers(transaction, actor.company_id);
    if (chosen.max_users !== null && users > chosen.max_users) {
      throw conflict(
        `${chosen.name} is for ${planSizeLabel(chosen)}; you have ${users}: choose a tariff for more, or remove users first`,
      );
    }
    await transaction
      .updateTable("companies")
      .set((eb) => ({ tariff_id: chosen.id, version: eb("version", "+", 1) }))
      .where("id", "=", actor.company_id)
      .execute();
    const subject = { entity: "company", id: actor.company_id, name: current.company } as const;
    const change = { before: { tariff: current.name }, after: { tariff: chosen.name } };
    await audit(transaction, { actor, action: "changed", subject, at: now(), ...change });
  });
}

const planSizeLabel = ({ min_users, max_users }: { min_users: number; max_users: number | null }) =>
  min_users === max_users ? `${min_users} user${min_users === 1 ? "" : "s"}` : `${min_users}-${max_users} users`;
