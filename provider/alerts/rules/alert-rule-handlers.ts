import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { asAlertRule, changeRule, requireCompanyScope, storedRules } from "./change-rules.ts";
import { previewRule } from "./preview-rule.ts";
import { listAlertRules, previewAlertRule, updateAlertRule } from "../../contract/alert-rules.ts";
import { ruleNames, ruleOf } from "../../contract/alert-thresholds.ts";
import type { On } from "../../http/endpoint.ts";
import { serviceUnavailable } from "../../http/errors.ts";
import { limitByKey } from "../../http/rate-limits.ts";
import type { Services } from "../../services.ts";

/** The thresholds of rules, and what they would have raised. */
export function serveAlertRules(on: On, services: Services) {
  const { db } = services;
  const byUser = limitByKey(services, "alert_rule_previews");
  /** One at a time: each holds the scans of a month. */
  const previewing = createWorkQueue({
    concurrency: 1,
    maxWaiting: 4,
    refuse: () => serviceUnavailable("Many rules are being previewed. Try again in a minute", 60),
  });

  on(listAlertRules, async ({ actor }) => {
    requireCompanyScope(actor);
    const stored = await storedRules(db, actor.company_id);
    return ruleNames.map((name) => asAlertRule(stored, name));
  });

  on(updateAlertRule, async ({ caller, params, body }) => {
    const rule = ruleOf(params);
    await changeRule(services, caller, rule, body);
    return asAlertRule(await storedRules(db, caller.company_id), rule);
  });

  on(previewAlertRule, async ({ actor, params, query, request: { signal } }) => {
    requireCompanyScope(actor);
    await byUser.count(String(actor.id));
    return previewing.run(() => previewRule(services, actor, { rule: ruleOf(params), thresholds: query, signal }), {
      signal,
    });
  });
}
