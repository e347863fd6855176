import { t } from "#lib/messages/staff.ts";
import type { AlertRule } from "#provider/contract/alert-rules.ts";
import { ruleOf } from "#provider/contract/alert-thresholds.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { ActiveChip } from "../../components/scan/status-chip.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { requireRules } from "./require-rules.server.ts";
import { fixedRules, wordsOfRule } from "./rule-words.ts";
import type { Route } from "./+types/rules";

export async function loader({ context }: Route.LoaderArgs) {
  requireRules(context);
  return { rules: await getProvider(context).listAlertRules() };
}

const wordsOf = (rule: AlertRule) => wordsOfRule(ruleOf(rule));
const titleOf = (rule: AlertRule) => wordsOf(rule).title;

const columns: Column<AlertRule>[] = [
  {
    label: t("alerts.rules.rule"),
    cell: (rule) => (
      <div>
        <a className="main" href={`/alerts/rules/${rule.rule}`}>
          {titleOf(rule)}
        </a>
        <small className="mt-1 max-w-[32rem]">{wordsOf(rule).effect}</small>
      </div>
    ),
  },
  { label: t("alerts.rules.raisesAnAlert"), cell: (rule) => wordsOf(rule).summary(rule.thresholds) },
  { label: t("common.status"), cell: ({ enabled }) => <ActiveChip isActive={enabled} /> },
  {
    label: t("common.actions"),
    className: "act",
    cell: (rule) => <RowAction to={`/alerts/rules/${rule.rule}`} verb={t("common.edit")} name={titleOf(rule)} />,
  },
];

/** The rules that raise alerts, those with thresholds first. */
export default function AlertRules({ loaderData: { rules } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.alertRules")} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>{t("common.alertRules")}</h1>
          <p className="lead">{t("alerts.rules.lead")}</p>
        </div>
      </div>
      <section className="panel mb-6 overflow-hidden" aria-label={t("alerts.rules.rulesWithThresholds")}>
        <Table
          caption={t("alerts.rules.rulesWithThresholds")}
          rows={rules}
          columns={columns}
          keyOf={({ rule }) => rule}
        />
      </section>
      <section className="panel p-5 max-md:p-4" aria-labelledby="always">
        <h2 id="always">{t("alerts.rules.alwaysActive")}</h2>
        <p className="mt-1 mb-3 text-muted">{t("alerts.rules.aboutFixedRules")}</p>
        <dl className="facts facts-1">
          {Object.values(fixedRules).map(({ title, effect }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
