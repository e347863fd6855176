import type { z } from "zod";
import { audit } from "../audit/audit-queries.ts";
import type { Caller } from "../access.ts";
import { companySubject } from "../company/company-queries.ts";
import type { updateWallet } from "../contract/wallet.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { Services } from "../services.ts";
import { fieldsOf } from "./issuers.ts";
import { makeWalletList } from "./wallet-lists.ts";

/** A company's setting. */
export async function walletOf(db: Db, companyId: number) {
  const companies = db.selectFrom("companies").where("id", "=", companyId);
  const { wallet, ...fields } = await companies.select(["wallet", "wallet_fields"]).executeTakeFirstOrThrow();
  return { active: wallet === 1, fields: fieldsOf(fields) };
}

/** Turns wallets on or off. The first list is there before the first credential. */
export async function changeWallet(services: Services, caller: Caller, input: z.output<typeof updateWallet.body>) {
  const { db, now } = services;
  const id = caller.company_id;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await walletOf(transaction, id);
    const columns = { wallet: input.active ? 1 : 0, wallet_fields: input.fields.join() };
    await transaction.updateTable("companies").set(columns).where("id", "=", id).execute();
    const shown = ({ active, fields }: typeof input) => ({ wallet: active, wallet_fields: fields.join(", ") });
    if (JSON.stringify(shown(before)) === JSON.stringify(shown(input))) return;
    const subject = await companySubject(transaction, id);
    const change = { before: shown(before), after: shown(input) };
    await audit(transaction, { actor, action: "wallets changed", subject, at: now(), ...change });
  });
  if (input.active) {
    const company = db.selectFrom("companies").where("id", "=", id).select(["id", "timezone"]);
    await makeWalletList(services, await company.executeTakeFirstOrThrow());
  }
  return walletOf(db, id);
}
