import type { z } from "zod";
import type { Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { companySubject } from "../company/company-queries.ts";
import type { updateRecipientSettings } from "../contract/recipients.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { Services } from "../services.ts";

/** How a company sends documents to recipients. */
export async function recipientSettings(db: Db, companyId: number) {
  const { delivers, delivery_pages, delivery_news, ...days } = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["delivers", "delivery_pages", "delivery_news", "delivery_days", "recipient_days"])
    .executeTakeFirstOrThrow();
  return {
    ...days,
    delivers: delivers === 1,
    delivery_pages: delivery_pages === 1,
    delivery_news: delivery_news === 1,
  };
}

export const changeRecipientSettings = (
  services: Services,
  caller: Caller,
  { recipient_days, ...input }: z.output<typeof updateRecipientSettings.body>,
) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const before = await recipientSettings(db, actor.company_id);
    const after = { ...input, recipient_days: recipient_days || 0 };
    await db
      .updateTable("companies")
      .set({
        ...after,
        delivers: after.delivers ? 1 : 0,
        delivery_pages: after.delivery_pages ? 1 : 0,
        delivery_news: after.delivery_news ? 1 : 0,
      })
      .where("id", "=", actor.company_id)
      .execute();
    const subject = await companySubject(db, actor.company_id);
    const isSame = Object.entries(after).every(([name, value]) => before[name as keyof typeof before] === value);
    const change = { actor, action: "recipient settings changed", subject, at: services.now(), before, after } as const;
    if (!isSame) await audit(db, change);
    return after;
  });
