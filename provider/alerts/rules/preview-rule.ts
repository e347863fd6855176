import type { z } from "zod";
import { type Actor, alertsWithin } from "../../access.ts";
import type { RulePreview } from "../../contract/alert-rules.ts";
import { maxExamples, type RuleName } from "../../contract/alert-thresholds.ts";
import { alertTypes, completed } from "../../contract/alerts.ts";
import { startOfDay } from "../../calendar/calendar.ts";
import type { Db } from "../../db/tables.ts";
import type { Services } from "../../services.ts";
import { thresholdsFrom } from "./change-rules.ts";
import { keyOf, type Raised, readReplay, replay } from "./replay.ts";
import { defaultRules, type Rules } from "./rules.ts";
import { isAmong } from "../../db/lists.ts";

type Preview = { rule: RuleName; thresholds: Record<string, unknown>; signal: AbortSignal };

/** The alerts that a rule would have raised with new thresholds, beside those raised, of documents within the actor's reach. */
export async function previewRule(
  { db, now }: Pick<Services, "db" | "now">,
  actor: Actor,
  { rule, thresholds, signal }: Preview,
): Promise<z.input<typeof RulePreview>> {
  const { scans, since, until, isPartial } = await readReplay(db, actor, now(), signal);
  const rules = { ...defaultRules, [rule]: { enabled: true, ...thresholdsFrom(rule, thresholds) } } as Rules;
  const { raised, isWhole } = await replay(rule, { rules, timeZone: actor.timezone, scans });
  const then = await raisedThen(db, actor, rule, since);
  const raisedKeys = new Set(then.map(keyOf));
  const newest = [...raised.values()].toSorted((a, b) => (a.day === b.day ? 0 : a.day < b.day ? 1 : -1));
  const examples = newest.slice(0, maxExamples);
  const names = await namesOf(db, examples);
  return {
    since,
    until,
    scans: scans.length,
    is_partial: isPartial || !isWhole,
    raised: then.length,
    would_raise: raised.size,
    examples: examples.map(({ document_id, copy, day }) => ({
      document_id,
      document: names.get(document_id) ?? "",
      copy,
      day,
      is_new: !raisedKeys.has(keyOf({ document_id, copy, day })),
    })),
  };
}

/** The alerts that a rule has raised since a day. */
const raisedThen = (db: Db, actor: Actor, rule: RuleName, since: string): Promise<Raised[]> =>
  db
    .selectFrom("alerts")
    .innerJoin("documents", "documents.id", "alerts.document_id")
    .where("alerts.company_id", "=", actor.company_id)
    .where("alerts.rule", "=", rule)
    // As in the index by date.
    .where("alerts.status", "in", [...new Set(Object.values(alertTypes)), completed])
    .where("alerts.date", ">=", startOfDay(actor.timezone, since))
    .where(alertsWithin(actor, "read"))
    .select(["alerts.document_id", "alerts.copy", "alerts.day"])
    .execute();

async function namesOf(db: Db, examples: Raised[]) {
  const ids = [...new Set(examples.map(({ document_id }) => document_id))];
  if (ids.length === 0) return new Map<number, string>();
  const rows = await db
    .selectFrom("documents")
    .where(isAmong(db, "documents.id", ids))
    .select(["id", "name"])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
