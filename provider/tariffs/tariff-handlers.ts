import type { Actor } from "../access.ts";
import { companyStorageBytes } from "../company/storage.ts";
import { changeTariff, companyBill, listTariffs } from "../contract/tariffs.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { currentBill } from "./bill.ts";
import { changeTariff as putOn } from "./change-tariff.ts";

const pounds = (pence: number | null) => (pence === null ? null : pence / 100);

export function serveTariffs(on: On, services: Services) {
  const { db, now } = services;

  /** All plans for a reply, the company's own marked. */
  async function plansOf({ company_id }: Actor) {
    const tariffs = await db.selectFrom("tariffs").selectAll().orderBy("id").execute();
    const { tariff_id } = await db
      .selectFrom("companies")
      .where("id", "=", company_id)
      .select("tariff_id")
      .executeTakeFirstOrThrow();
    return tariffs.map((tariff) => ({
      ...tariff,
      price_per_user: pounds(tariff.price_per_user),
      min_monthly: pounds(tariff.min_monthly),
      extra_page: pounds(tariff.extra_page),
      active: tariff.id === tariff_id,
    }));
  }

  on(listTariffs, async ({ actor }) => plansOf(actor));

  on(changeTariff, async ({ actor, caller, body }) => {
    await putOn(services, caller, body.tariff);
    return (await plansOf(actor)).find(({ active }) => active)!;
  });

  on(companyBill, async ({ actor }) => {
    const bill = await currentBill(db, actor, now());
    const { companyBytes } = services.quotas;
    const storage = {
      bytes: await companyStorageBytes(db, actor.company_id),
      max_bytes: Number.isFinite(companyBytes) ? companyBytes : null,
    };
    return { ...bill, amount: pounds(bill.amount), storage };
  });
}
