import { t } from "#lib/messages/staff.ts";
import { type AlertRule, previewAlertRule, updateAlertRule } from "#provider/contract/alert-rules.ts";
import { inPath, ruleOf } from "#provider/contract/alert-thresholds.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { Field } from "../../components/form/field.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { summaryOf } from "../../components/form/error-summary.tsx";
import { Form } from "../../components/form/form.tsx";
import { fieldsFrom, handleForm, readForm } from "../../server/forms/forms.ts";
import { readPreview } from "../../server/forms/read-preview.ts";
import { getProvider } from "../../server/provider/context.ts";
import { failure } from "../../server/provider/failure.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { requireRules } from "./require-rules.server.ts";
import { RulePreviewPanel } from "./rule-preview.tsx";
import { fieldsOf, wordsOfRule } from "./rule-words.ts";
import type { Route } from "./+types/rule";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireRules(context);
  const rule = await findRule(context, params.rule);
  const name = ruleOf(rule);
  const { values, preview, errors } = await readPreview(url, {
    query: previewAlertRule.query,
    others: ["enabled", "version"],
    fetch: (query) => getProvider(context).previewAlertRule({ params: { rule: inPath(name) }, query }),
  });
  const saved = { enabled: rule.enabled ? "1" : "", version: String(rule.version), ...textsOf(rule.thresholds) };
  return { rule, name, values: values ?? saved, preview, errors, mayOpen: may(getUser(context), "docs", "read") };
}

async function findRule(context: Route.LoaderArgs["context"], rule: string): Promise<AlertRule> {
  const stored = (await getProvider(context).listAlertRules()).find((one) => one.rule === rule);
  if (!stored) throw failure(404, { kind: "refused", message: t("alerts.rule.noSuchRule") });
  return stored;
}

const textsOf = (thresholds: Record<string, number>) =>
  Object.fromEntries(Object.entries(thresholds).map(([name, value]) => [name, String(value)]));

/** Sets the rule as sent, or as it is by default. */
export async function action({ request, context, params }: Route.ActionArgs) {
  requireRules(context);
  const received = await readForm(request, updateAlertRule.body);
  const { rule } = await findRule(context, params.rule);
  const isReset = received.get("intent") === "reset";
  const byDefault = { enabled: "1", version: received.get("version") ?? "" };
  const form = isReset ? fieldsFrom(Object.entries(byDefault), updateAlertRule.body) : received;
  return handleForm(form, {
    schema: updateAlertRule.body,
    async save(body) {
      await getProvider(context).updateAlertRule({ params: { rule }, body });
      const { title } = wordsOfRule(ruleOf({ rule }));
      return redirectWithNotice(
        context,
        "/alerts/rules",
        isReset ? t("alerts.rule.titleReset", { title }) : t("common.nameChangesSaved", { name: title }),
      );
    },
  });
}

export default function AlertRulePage({ loaderData, actionData }: Route.ComponentProps) {
  const { rule, name, values, preview, errors, mayOpen } = loaderData;
  const { title, effect, summary, unknown } = wordsOfRule(name);
  const state = formState(values, actionData, ["enabled"]);
  const field = (of: string) => {
    const { errors: refused, ...shown } = state.field(of);
    return { ...shown, errors: state.isReply ? refused : errors[of] };
  };
  return (
    <FormPage
      title={title}
      lead={<p className="lead">{effect}</p>}
      errors={state.isReply ? state.summary : summaryOf(errors)}
      back={{ to: "/alerts/rules", label: t("alerts.rule.backToRules") }}
    >
      <Form method="post" noValidate className="panel" key={rule.rule}>
        <input type="hidden" name="version" value={state.isStale ? String(rule.version) : state.version} />
        <div className="grid gap-5 p-5 max-md:p-4 lg:p-6">
          <CheckboxField field={field("enabled")} label={t("alerts.rule.enabled")} />
          <div className="grid gap-5 md:grid-cols-2">
            {fieldsOf(name).map(({ name: threshold, label, ...words }) => (
              <Field
                key={threshold}
                field={field(threshold)}
                label={label}
                hint={t("alerts.rule.thresholdHint", { ...words, standard: rule.defaults[threshold] ?? "" })}
                inputMode="numeric"
              />
            ))}
          </div>
        </div>
        <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
          <button type="submit" className="btn btn-primary" name="intent" value="save">
            {t("common.saveChanges")}
          </button>
          <button type="submit" className="btn btn-quiet" formMethod="get" name="preview" value="1">
            {t("alerts.rule.previewLastMonth")}
          </button>
          <button type="submit" className="btn btn-plain sm:ml-auto" name="intent" value="reset">
            {t("alerts.rule.resetToTheDefaults")}
          </button>
        </div>
      </Form>
      {preview && (
        <RulePreviewPanel preview={preview} summary={summary(numbersIn(values))} unknown={unknown} mayOpen={mayOpen} />
      )}
    </FormPage>
  );
}

const numbersIn = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
