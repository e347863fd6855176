import { type z, ZodError } from "zod";
import type { Actor, Caller } from "../access.ts";
import type { Area, Right } from "../contract/areas.ts";
import { errorsByField } from "../contract/fields.ts";
import type { Db } from "../db/tables.ts";
import type { EarlierWithdrawal } from "../documents/apply-change.ts";
import { HttpError, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Parameters of an act, of the whole action or of one record. */
export type ActParameters = {
  group?: string;
  note?: string;
  expire_date?: string;
  /** A user's id, or `nobody`. */
  owner?: string;
  /** The id of a withdrawal reason. */
  reason?: string;
  outcome?: string;
  /** Whether documents are prolonged that are not meant to be; of the reversal, whether one is not any more. */
  allow?: string;
  forbid?: string;
  /** A reactivated document’s withdrawal. */
  withdrawal?: EarlierWithdrawal;
};

/** In place of an owner. */
export const nobody = "nobody";

/** A record as acts judge it. */
export type BulkRecord = { id: number; version: number; label: string };

/** Why an act can't be done to a record now, or that it need not be. */
export type Verdict = { state: "skipped" | "refused"; reason: string } | undefined;

export const skipped = (reason: string): Verdict => ({ state: "skipped", reason });

/** One act on a kind of record. */
export type Act<Row extends BulkRecord> = {
  /** The parameter that the user must give. */
  needs?: "group" | "note" | "owner";
  /** Optional parameters. */
  takes?: readonly ("note" | "reason" | "outcome" | "allow")[];
  /** Whether it gives rights. */
  needsProof?: true;
  judge(row: Row, parameters: ActParameters, actor: Pick<Actor, "id">): Verdict;
  /** The change of one record, as if it had been made alone. */
  perform(
    services: Services,
    who: { actor: Actor; caller: Caller },
    id: number,
    parameters: ActParameters,
  ): Promise<unknown>;
  /** The act that reverses it, and its parameters from the record before the act. */
  reverse?: { act: string; parametersFrom?(before: Row): ActParameters };
};

/** A kind of record, with its bulk acts. */
export type RecordKind<Row extends BulkRecord> = {
  area: Area;
  /** Ids of the records that match a list's filters, at most `limit`. */
  matching(services: Services, actor: Actor, filters: URLSearchParams, limit: number): Promise<number[]>;
  /** The records within the scope of a right. */
  records(db: Db, actor: Actor, right: Right, ids: number[]): Promise<Row[]>;
  acts: Record<string, Act<Row>>;
};

const paging = ["page", "per_page", "after", "before", "sort"];

/** A list's query without its page. Throws 422 for filters that the list refuses, lacks or has once. */
export function parseFilters<Schema extends z.ZodObject>(schema: Schema, filters: URLSearchParams): z.output<Schema> {
  const entries = [...filters].filter(([name]) => !paging.includes(name));
  for (const [n, [name]] of entries.entries()) {
    // A filter that is left out selects more records than are meant.
    if (!Object.hasOwn(schema.shape, name))
      throw invalid({ filters: `This list has no filter “${name.slice(0, 50)}”` });
    if (entries.findIndex((other) => other[0] === name) < n)
      throw invalid({ filters: `Give the filter “${name}” once` });
  }
  const parsed = schema.safeParse(Object.fromEntries(entries));
  if (parsed.error) throw invalid({ filters: Object.values(errorsByField(parsed.error as ZodError)).flat() });
  return parsed.data;
}

/** The message of a refusal, with those of its fields. */
export function reasonOf({ status, message, errors = {} }: HttpError): string {
  if (status === 401) return "The user who began this can’t sign in any more";
  return Object.values(errors).flat().join(". ") || message;
}
