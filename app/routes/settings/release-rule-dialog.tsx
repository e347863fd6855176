import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import type { ReleaseRule } from "#provider/contract/release-rules.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { Field, type Option } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { documentsOf } from "../../components/record/release-rule-words.ts";

type RuleDialogProps = {
  /** The rule to change; undefined to add one. */
  rule: ReleaseRule | undefined;
  branches: Option[];
  groups: Option[];
  reply: SubmissionResult | undefined;
  closeTo: string;
};

/** The form of a release rule. */
export function RuleDialog({ rule, branches, groups, reply, closeTo }: RuleDialogProps) {
  const { field, isReply } = formState(rule ? valuesOf(rule) : { releasers: "1" }, reply);
  const isTicked = !isReply && rule?.withdrawals;
  const words = rule
    ? {
        title: t("settings.releaseRules.changeQuestion", { name: documentsOf(rule) }),
        lead: t("settings.releaseRules.effectOfChanging"),
        confirm: t("settings.releaseRules.change"),
      }
    : { title: t("settings.releaseRules.add"), confirm: t("settings.releaseRules.add") };
  return (
    <FormDialog {...words} intent={rule ? "change-rule" : "add-rule"} {...{ reply, closeTo }}>
      {rule && <input type="hidden" name="rule" value={rule.id} />}
      <Field
        field={field("document_type")}
        label={t("components.documentFields.documentType")}
        options={withAll(
          t("settings.releaseRules.allTypes"),
          Object.keys(documentTypes).map((value) => ({ value, label: value })),
        )}
      />
      <Field
        field={field("branch_id")}
        label={t("common.branch")}
        options={withAll(t("common.allBranches"), branches, { id: rule?.branch_id, name: rule?.branch })}
      />
      <Field
        field={field("access_group_id")}
        label={t("common.companyUsersAccessGroup")}
        options={withAll(t("settings.releaseRules.allGroups"), groups, {
          id: rule?.access_group_id,
          name: rule?.access_group,
        })}
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
      <CheckboxField
        field={{ ...field("withdrawals"), ...(isTicked && { initialValue: "1" }) }}
        label={t("settings.releaseRules.withdrawals")}
      />
    </FormDialog>
  );
}

const valuesOf = ({ document_type, branch_id, access_group_id, field, at_least, releasers }: ReleaseRule) => ({
  document_type,
  branch_id: String(branch_id ?? ""),
  access_group_id: String(access_group_id ?? ""),
  field,
  at_least,
  releasers: String(releasers),
});

type Chosen = { id?: number | null | undefined; name?: string | undefined };

/** The choices with the one for all, and with the rule's own, which may be removed or hidden. */
function withAll(label: string, options: Option[], { id, name = "" }: Chosen = {}): Option[] {
  const isListed = !id || options.some((option) => typeof option !== "string" && option.value === String(id));
  return [{ value: "", label }, ...options, ...(isListed ? [] : [{ value: String(id), label: name }])];
}
