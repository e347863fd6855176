import type { z } from "zod";
import type { Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { updateCompany } from "../contract/company.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { companyReply } from "./company-queries.ts";
import { type ImageChange, imageAudit } from "../files/images.ts";
import type { Services } from "../services.ts";

/** Changes the company profile in a transaction with its audit entry. */
export async function changeCompany(
  services: Services,
  caller: Caller,
  input: z.output<typeof updateCompany.body>,
  image: ImageChange,
) {
  const { now } = services;
  const id = caller.company_id;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await companyReply(transaction, id);
    if (input.version !== undefined && input.version !== before.version) {
      throw await staleConflict(transaction, actor, "company", id);
    }
    const { name, email, phone, country, city, index, address } = input;
    const { timezone = before.timezone, language = before.language, organization_id = before.organization_id } = input;
    const columns = { name, email, phone, country, city, index, address, timezone, language, organization_id };
    const change = { ...columns, ...image, version: before.version + 1 };
    await transaction.updateTable("companies").set(change).where("id", "=", id).execute();
    const subject = { entity: "company", id, name } as const;
    await audit(transaction, {
      actor,
      action: "changed",
      subject,
      at: now(),
      before,
      after: { ...columns, ...imageAudit(image) },
    });
  });
}
