import { Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { createReleaseRule, type ReleaseRule, updateReleaseRule } from "#provider/contract/release-rules.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import type { Option } from "../../components/form/field.tsx";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { documentsOf } from "../../components/record/release-rule-words.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { requireOffer, requireRight } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/release-rules";
import { RuleDialog } from "./release-rule-dialog.tsx";

function requireRules(context: Context) {
  requireOffer(context, "releases");
  requireRight(context, "roles", "write", t("settings.releaseRules.action"));
}

const asOptions = (records: { id: number; name: string }[] = []): Option[] =>
  records.map(({ id, name }) => ({ value: String(id), label: name }));

export async function loader({ context }: Route.LoaderArgs) {
  requireRules(context);
  const provider = getProvider(context);
  const [rules, branches, groups] = await Promise.all([
    provider.listReleaseRules(),
    orUndefinedIfHidden(provider.listBranches()),
    provider.listAccessGroups(),
  ]);
  const hasReleasers = groups.some(({ docs, members }) => docs.endsWith("L") && members !== 0);
  return { rules, branches: asOptions(branches), groups: asOptions(groups), hasReleasers };
}

const ofRule = z.object({ rule: z.string() });

export async function action({ request, context }: Route.ActionArgs) {
  requireRules(context);
  const form = await readForm(request, updateReleaseRule.body, ofRule);
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/release-rules", notice);
  if (form.get("intent") === "remove-rule") {
    return handleForm(form, {
      schema: ofRule,
      async save({ rule: id }) {
        await provider.removeReleaseRule({ params: { id } });
        return leave(t("settings.releaseRules.wasRemoved"));
      },
    });
  }
  if (form.get("intent") === "change-rule") {
    return handleForm(form, {
      schema: updateReleaseRule.body.safeExtend(ofRule.shape),
      async save({ rule: id, ...body }) {
        await provider.updateReleaseRule({ params: { id }, body });
        return leave(t("settings.releaseRules.wasChanged"));
      },
    });
  }
  return handleForm(form, {
    schema: createReleaseRule.body,
    async save(body) {
      await provider.createReleaseRule({ body });
      return leave(t("settings.releaseRules.wasAdded"));
    },
  });
}

/** Which documents wait until other users than their drafter release them. */
export default function ReleaseRules({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { rules, hasReleasers, ...choices } = loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const rule = rules.find(({ id }) => String(id) === at);
  return (
    <SettingPage
      title={t("settings.releaseRules.title")}
      lead={t("settings.releaseRules.lead")}
      hasErrors={Boolean(reply?.error)}
      act={
        <Link className="btn btn-primary" to={openTo("add-rule")} preventScrollReset>
          {t("settings.releaseRules.add")}
        </Link>
      }
    >
      {!hasReleasers && (
        <p className="notice is-warn m-4 [overflow-wrap:anywhere]">
          {t("settings.releaseRules.noReleasers")} <Link to="/users/roles">{t("settings.releaseRules.toGroups")}</Link>
        </p>
      )}
      {rules.length > 0 ? (
        <Table
          caption={t("settings.releaseRules.title")}
          rows={rules}
          keyOf={({ id }) => id}
          columns={columns(openTo)}
        />
      ) : (
        <Empty message={t("settings.releaseRules.none")} />
      )}
      {(open === "add-rule" || (open === "change-rule" && rule)) && (
        <RuleDialog {...choices} rule={rule} reply={reply} closeTo={closeTo} />
      )}
      {open === "remove-rule" && rule && (
        <FormDialog
          title={t("settings.releaseRules.removeQuestion", { name: documentsOf(rule) })}
          lead={t("settings.releaseRules.effectOfRemoving")}
          confirm={t("settings.releaseRules.remove")}
          intent="remove-rule"
          isDanger
          {...{ reply, closeTo }}
        >
          <input type="hidden" name="rule" value={rule.id} />
        </FormDialog>
      )}
    </SettingPage>
  );
}

const columns = (openTo: (dialog: string, at: number) => string): Column<ReleaseRule>[] => [
  { label: t("settings.releaseRules.documents"), cell: documentsOf },
  {
    label: t("settings.releaseRules.releasers"),
    cell: ({ releasers }) => (releasers === 2 ? t("settings.releaseRules.two") : t("settings.releaseRules.one")),
  },
  {
    label: t("settings.releaseRules.withdrawals"),
    cell: ({ withdrawals }) => (withdrawals ? t("common.yes") : t("common.no")),
  },
  {
    label: t("common.action"),
    className: "act",
    cell: (rule) => (
      <>
        <RowAction to={openTo("change-rule", rule.id)} verb={t("common.edit")} name={documentsOf(rule)} />
        <RowAction to={openTo("remove-rule", rule.id)} verb={t("common.remove")} name={documentsOf(rule)} />
      </>
    ),
  },
];
