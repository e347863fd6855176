import { changeCompany } from "../company/change.ts";
import { getCompany, getCompanyImage, updateCompany } from "../contract/company.ts";
import { companyReply } from "../db/company.ts";
import type { On } from "../endpoint.ts";
import { imageReply, takeImage } from "../images.ts";
import type { Services } from "../services.ts";

export function serveCompany(on: On, services: Services) {
  const { db } = services;

  on(getCompany, ({ actor }) => companyReply(db, actor.company_id));

  on(updateCompany, async ({ actor, ...sent }) => {
    const image = await takeImage(services, actor, sent);
    await changeCompany(services, actor, sent.body, image);
    return companyReply(db, actor.company_id);
  });

  on(getCompanyImage, async ({ actor }) => {
    const { image_key } = await db
      .selectFrom("companies")
      .where("id", "=", actor.company_id)
      .select("image_key")
      .executeTakeFirstOrThrow();
    return imageReply(services, image_key);
  });
}
