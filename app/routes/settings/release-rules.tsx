import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import { createReleaseRule, type ReleaseRule } from "#provider/contract/release-rules.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { Field, type Option } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { notOffered, orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers, requireRight } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/release-rules";

function requireRules(context: Context) {
  if (!getOffers(context).releases) throw notOffered(t("server.provider.lackingWords.releases"));
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

const removeForm = z.object({ rule: z.string() });

export async function action({ request, context }: Route.ActionArgs) {
  requireRules(context);
  const form = await readForm(request, createReleaseRule.body, removeForm);
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/release-rules", notice);
  if (form.get("intent") === "remove-rule") {
    return handleForm(form, {
      schema: removeForm,
      async save({ rule: id }) {
        await provider.removeReleaseRule({ params: { id } });
        return leave(t("settings.releaseRules.wasRemoved"));
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
        <p className="notice is-warn m-4">
          {t("settings.releaseRules.noReleasers")} <Link to="/users/roles">{t("settings.releaseRules.toGroups")}</Link>
        </p>
      )}
      {rules.length > 0 ? (
        <Table
          caption={t("settings.releaseRules.title")}
          rows={rules}
          keyOf={({ id }) => id}
          columns={columns((id) => openTo("remove-rule", id))}
        />
      ) : (
        <Empty message={t("settings.releaseRules.none")} />
      )}
      {open === "add-rule" && <AddDialog {...choices} reply={reply} closeTo={closeTo} />}
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

/** The documents of a rule: `Contract, Preston, Amount from 10000`. */
function documentsOf({ document_type, branch, access_group, field, at_least }: ReleaseRule) {
  const amount = field && t("settings.releaseRules.amountFrom", { field, amount: at_least });
  const parts = [document_type, branch, access_group, amount].filter(Boolean);
  return parts.join(", ") || t("settings.releaseRules.allDocuments");
}

const columns = (removeAt: (id: number) => string): Column<ReleaseRule>[] => [
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
    cell: (rule) => <RowAction to={removeAt(rule.id)} verb={t("common.remove")} name={documentsOf(rule)} />,
  },
];

type AddDialogProps = { branches: Option[]; groups: Option[]; reply: SubmissionResult | undefined; closeTo: string };

function AddDialog({ branches, groups, reply, closeTo }: AddDialogProps) {
  const { field } = formState({ releasers: "1" }, reply);
  const all = (label: string, options: Option[]) => [{ value: "", label }, ...options];
  return (
    <FormDialog
      title={t("settings.releaseRules.add")}
      confirm={t("settings.releaseRules.add")}
      intent="add-rule"
      {...{ reply, closeTo }}
    >
      <Field
        field={field("document_type")}
        label={t("components.documentFields.documentType")}
        options={all(t("settings.releaseRules.allTypes"), Object.keys(documentTypes))}
      />
      <Field field={field("branch_id")} label={t("common.branch")} options={all(t("common.allBranches"), branches)} />
      <Field
        field={field("access_group_id")}
        label={t("common.companyUsersAccessGroup")}
        options={all(t("settings.releaseRules.allGroups"), groups)}
      />
      <Field
        field={field("field")}
        label={t("settings.releaseRules.field")}
        hint={t("settings.releaseRules.fieldHint")}
        maxLength={100}
      />
      <Field
        field={field("at_least")}
        label={t("settings.releaseRules.atLeast")}
        hint={t("settings.releaseRules.atLeastHint")}
        inputMode="decimal"
        maxLength={20}
      />
      <Field
        field={field("releasers")}
        label={t("settings.releaseRules.releasers")}
        options={[
          { value: "1", label: t("settings.releaseRules.one") },
          { value: "2", label: t("settings.releaseRules.two") },
        ]}
      />
      <CheckboxField field={field("withdrawals")} label={t("settings.releaseRules.withdrawals")} />
    </FormDialog>
  );
}
