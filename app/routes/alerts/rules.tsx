import type { AlertRule } from "#provider/contract/alert-rules.ts";
import { ruleOf, ruleTitles } from "#provider/contract/alert-thresholds.ts";
import { BackLink } from "../../components/back-link.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { ActiveChip } from "../../components/status-chip.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { requireRules } from "./require-rules.server.ts";
import { fixedRules, ruleWords } from "./rule-words.ts";
import type { Route } from "./+types/rules";

export async function loader({ context }: Route.LoaderArgs) {
  requireRules(context);
  return { rules: await getProvider(context).listAlertRules() };
}

const wordsOf = (rule: AlertRule) => ruleWords[ruleOf(rule)];
const titleOf = (rule: AlertRule) => ruleTitles[ruleOf(rule)];

const columns: Column<AlertRule>[] = [
  {
    label: "Rule",
    cell: (rule) => (
      <div>
        <a className="main" href={`/alerts/rules/${rule.rule}`}>
          {titleOf(rule)}
        </a>
        <small className="mt-1 max-w-[32rem]">{wordsOf(rule).effect}</small>
      </div>
    ),
  },
  { label: "Raises an alert", cell: (rule) => wordsOf(rule).summary(rule.thresholds) },
  { label: "Status", cell: ({ enabled }) => <ActiveChip isActive={enabled} /> },
  {
    label: "Actions",
    className: "act",
    cell: (rule) => <RowAction to={`/alerts/rules/${rule.rule}`} verb="Edit" name={titleOf(rule)} />,
  },
];

/** The rules that raise alerts, those with thresholds first. */
export default function AlertRules({ loaderData: { rules } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title="Rules of alerts" />
      <BackLink to="/alerts">Back to the list of alerts</BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>Rules of alerts</h1>
          <p className="lead">
            What raises an alert in your company. Changes apply from the next scan on; alerts that were raised stay.
          </p>
        </div>
      </div>
      <section className="panel mb-6 overflow-hidden" aria-label="Rules with thresholds">
        <Table caption="Rules with thresholds" rows={rules} columns={columns} keyOf={({ rule }) => rule} />
      </section>
      <section className="panel p-5 max-md:p-4" aria-labelledby="always">
        <h2 id="always">Always active</h2>
        <p className="mt-1 mb-3 text-muted">
          These tell of a forgery or of a visitor’s report, and have no thresholds.
        </p>
        <dl className="facts facts-1">
          {fixedRules.map(([title, effect]) => (
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
