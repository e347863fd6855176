import { daysInMs } from "#lib/units.ts";
import { ago } from "../../calendar/calendar.ts";
import { audit } from "../../audit/audit-queries.ts";
import { companySubject, inCompanyTransaction } from "../../company/company-queries.ts";
import type { Db } from "../../db/tables.ts";
import { activeKeys, keyOf, nextKeys, retireKey, type SealKeyRow, type Sealing } from "./stored-keys.ts";

/** Keys that are published and not yet used, so that checks without a network have them by then. */

const publishedMs = daysInMs(1);

/** When a key that is next will be used. */
export const useOf = ({ created_at }: Pick<SealKeyRow, "created_at">) =>
  new Date(Date.parse(created_at) + publishedMs).toISOString();

/** Uses the keys that have been published for a day, with an entry of the audit trail each. */
export async function useNextKeys({ db, now }: Pick<Sealing, "db" | "now">, signal: AbortSignal) {
  const due = (db: Db) => nextKeys(db).where("created_at", "<=", ago(now(), publishedMs)).select("company_id");
  for (const { company_id } of await due(db).execute()) {
    if (signal.aborted) return;
    await inCompanyTransaction(db, company_id, async (db) => {
      const isStillDue = await due(db).where("company_id", "=", company_id).executeTakeFirst();
      // Another machine was first, or it was revoked.
      if (!isStillDue) return;
      const change = await useNextKey(db, company_id, now());
      const actor = { id: 0, name: "Sealdesk", company_id };
      const subject = await companySubject(db, company_id);
      await audit(db, { actor, action: "seal key rotated", subject, at: now(), ...change });
    });
  }
}

/** Retires the key in use, if there is one, for the next one, and returns the change; undefined if none is next. */
export async function useNextKey(db: Db, companyId: number, at: Date) {
  const next = await keyOf(nextKeys(db), companyId);
  if (!next) return undefined;
  const active = await keyOf(activeKeys(db), companyId);
  if (active) await retireKey(db, active.id, at);
  await db.updateTable("seal_keys").set({ used_from: at.toISOString() }).where("id", "=", next.id).execute();
  return { before: { seal_key: active?.short_id }, after: { seal_key: next.short_id } };
}
