import { previewAlertRule, type RulePreview } from "#provider/contract/alert-rules.ts";
import { inPath, type RuleName } from "#provider/contract/alert-thresholds.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";

type Read = { values?: Record<string, string>; preview?: RulePreview; errors: Record<string, string[]> };

/** What the address asks to be previewed, as it was typed, and its preview or what is wrong with it. */
export async function readPreview(context: Context, { searchParams }: URL, rule: RuleName): Promise<Read> {
  if (!searchParams.has("preview")) return { errors: {} };
  const thresholds = Object.keys(previewAlertRule.query.shape);
  const entryFor = (name: string) => [name, searchParams.get(name) ?? ""] as const;
  const values = Object.fromEntries(["enabled", "version", ...thresholds].map(entryFor));
  const query = Object.fromEntries(thresholds.filter((name) => searchParams.has(name)).map(entryFor));
  const { error } = previewAlertRule.query.safeParse(query);
  if (error) return { values, errors: errorsByField(error) };
  try {
    const preview = await getProvider(context).previewAlertRule({ params: { rule: inPath(rule) }, query });
    return { values, preview, errors: {} };
  } catch (thrown) {
    const failed = asFailure(thrown, 422, 429, 503);
    if (!failed) throw thrown;
    return { values, errors: failed.errors ?? { "": [failed.message] } };
  }
}
