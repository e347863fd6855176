import { listTariffs } from "../contract/tariffs.ts";
import type { On } from "../endpoint.ts";
import type { Services } from "../services.ts";

const pounds = (pence: number | null) => (pence === null ? null : pence / 100);

export function serveTariffs(on: On, { db }: Services) {
  on(listTariffs, async ({ actor }) => {
    const tariffs = await db.selectFrom("tariffs").selectAll().orderBy("id").execute();
    const { tariff_id } = await db
      .selectFrom("companies")
      .where("id", "=", actor.company_id)
      .select("tariff_id")
      .executeTakeFirstOrThrow();
    return tariffs.map((tariff) => ({
      ...tariff,
      price_per_user: pounds(tariff.price_per_user),
      min_monthly: pounds(tariff.min_monthly),
      extra_page: pounds(tariff.extra_page),
      active: tariff.id === tariff_id,
    }));
  });
}
