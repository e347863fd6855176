import type { BulkNoun } from "../contract/bulk-actions.ts";
import { alerts } from "./alerts.ts";
import { documents } from "./documents.ts";
import type { Act, BulkRecord, RecordKind } from "./record-kind.ts";
import { users } from "./users.ts";

/** The acts of each kind of records. A new act is an entry of its record kind and of `bulkActs` in the contract. */
const recordKinds = { documents, alerts, users };

/** Only a kind's own acts see the type of its rows. */
export const recordKindOf = (noun: BulkNoun) => recordKinds[noun] as unknown as RecordKind<BulkRecord>;

export function actOf(noun: BulkNoun, act: string): Act<BulkRecord> {
  const definition = recordKindOf(noun).acts[act];
  if (!definition) throw new Error(`no act ${act} on ${noun}`);
  return definition;
}
