import { changeCompany } from "../company/change.ts";
import { getCompany, updateCompany } from "../contract/company.ts";
import { companyReply } from "../db/company.ts";
import type { On } from "../endpoint.ts";
import type { Services } from "../services.ts";

export function serveCompany(on: On, services: Services) {
  const { db } = services;

  on(getCompany, ({ actor }) => companyReply(db, actor.company_id));

  on(updateCompany, async ({ actor, body }) => {
    await changeCompany(services, actor, body);
    return companyReply(db, actor.company_id);
  });
}
