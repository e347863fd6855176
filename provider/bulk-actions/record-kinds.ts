import type { BulkNoun } from "../contract/bulk-actions.ts";
import { alerts } from "./alerts.ts";
import { documents } from "./documents.ts";
import type { Act, BulkRecord, RecordKind } from "./record-kind.ts";
import { users } from "./users.ts";

/** The acts of each kind of records. A new act is a line in its noun's table and its name in `bulkActs` of the contract. */
const recordKinds = { documents, alerts, users };

/** The noun's rows are its own, and only its acts see them. */
export const recordKindOf = (noun: BulkNoun) => recordKinds[noun] as unknown as RecordKind<BulkRecord>;

export function actOf(noun: BulkNoun, act: string): Act<BulkRecord> {
  const definition = recordKindOf(noun).acts[act];
  if (!definition) throw new Error(`no act ${act} on ${noun}`);
  return definition;
}
