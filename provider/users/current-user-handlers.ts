import { currentUser, headerMaxPages } from "../contract/users.ts";
import { countOpenAlerts } from "../alerts/alert-queries.ts";
import { countReadableDocuments } from "../db/reach-counters.ts";
import { asUser, userRows } from "./user-queries.ts";
import { imageUrl } from "../files/images.ts";
import type { On } from "../http/endpoint.ts";
import { provedUntil } from "../sessions/proof.ts";
import { countReleasable } from "../releases/release-queries.ts";
import type { Services } from "../services.ts";

export function serveCurrentUser(on: On, { db }: Services) {
  on(currentUser, async ({ actor }) => {
    // Few and short queries, as every page makes this call.
    const { company_id, company, company_image, pages, tariff_id, tariff, delivers, ...more } = await userRows(db)
      .innerJoin("companies", "companies.id", "users.company_id")
      .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
      .where("users.id", "=", actor.id)
      .select(["companies.id as company_id", "companies.name as company", "companies.image_key as company_image"])
      .select(["companies.pages", "tariffs.id as tariff_id", "tariffs.name as tariff", "delivers"])
      .select(countReleasable(db, actor).as("awaiting_release"))
      .executeTakeFirstOrThrow();
    const { awaiting_release, ...user } = more;
    return {
      ...asUser(user),
      company: { id: company_id, name: company, img: imageUrl("/company", company_image), timezone: actor.timezone },
      plan: { id: tariff_id, name: tariff },
      alerts_open: await countOpenAlerts(db, actor),
      awaiting_release: awaiting_release ?? 0,
      delivers: delivers === 1,
      usage: {
        documents: await countReadableDocuments(db, actor),
        documents_capped: false,
        pages,
        max_pages: headerMaxPages,
      },
      permissions: actor.permissions,
      proved_until: provedUntil(actor),
      ...(actor.lacksSecondFactor && { must_set_up_second_factor: true }),
    };
  });
}
