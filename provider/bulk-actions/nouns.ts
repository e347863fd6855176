import type { BulkNoun } from "../contract/bulk-actions.ts";
import { alerts } from "./alerts.ts";
import { documents } from "./documents.ts";
import type { Act, BulkRecord, Noun } from "./noun.ts";
import { users } from "./users.ts";

/** The acts of each kind of records. A new act is a line in its noun's table and its name in `bulkActs` of the contract. */
const nouns = { documents, alerts, users };

/** The noun's rows are its own, and only its acts see them. */
export const nounOf = (noun: BulkNoun) => nouns[noun] as unknown as Noun<BulkRecord>;

export function actOf(noun: BulkNoun, act: string): Act<BulkRecord> {
  const found = nounOf(noun).acts[act];
  if (!found) throw new Error(`no act ${act} on ${noun}`);
  return found;
}
