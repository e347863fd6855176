import type { Actor } from "../access.ts";
import { changeCompany } from "./change-company.ts";
import { getCompany, getCompanyImage, updateCompany } from "../contract/company.ts";
import { companyReply } from "./company-queries.ts";
import type { On } from "../http/endpoint.ts";
import { imageReply, withImage } from "../files/images.ts";
import type { Services } from "../services.ts";

export function serveCompany(on: On, services: Services) {
  const { db } = services;

  on(getCompany, ({ actor }) => companyReply(db, actor.company_id));

  const imageOf = async ({ company_id }: Pick<Actor, "company_id">) => {
    const companies = db.selectFrom("companies").where("id", "=", company_id);
    return (await companies.select("image_key").executeTakeFirstOrThrow()).image_key;
  };

  on(updateCompany, async ({ actor, caller, ...form }) => {
    await withImage(services, { ...form, caller }, await imageOf(actor), (image) =>
      changeCompany(services, caller, form.body, image),
    );
    return companyReply(db, actor.company_id);
  });

  on(getCompanyImage, async ({ actor }) => imageReply(services, await imageOf(actor)));
}
