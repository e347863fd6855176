import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import type { ReleaseRule } from "#provider/contract/release-rules.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { ConflictNotice } from "../../components/form/conflict-notice.tsx";
import type { Option } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { formValues, type RecordField } from "../../components/record/record-fields.ts";
import { RecordFields } from "../../components/record/record-sections.tsx";
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
  const saved = rule ? formValues(rule) : { releasers: "1" };
  const { field, values, version, isStale } = formState(saved, reply, ["withdrawals"]);
  const words = rule
    ? {
        title: t("settings.releaseRules.changeQuestion", { name: documentsOf(rule) }),
        lead: t("settings.releaseRules.effectOfChanging"),
        confirm: t("settings.releaseRules.change"),
      }
    : { title: t("settings.releaseRules.add"), confirm: t("settings.releaseRules.add") };
  const choices = {
    branch_id: { options: withAll(t("common.allBranches"), branches, rule?.branch_id, rule?.branch) },
    access_group_id: {
      options: withAll(t("settings.releaseRules.allGroups"), groups, rule?.access_group_id, rule?.access_group),
    },
  };
  return (
    <FormDialog {...words} intent={rule ? "change-rule" : "add-rule"} {...{ reply, closeTo }}>
      {rule && <input type="hidden" name="rule" value={rule.id} />}
      {rule && <input type="hidden" name="version" value={version} />}
      {isStale && (
        <ConflictNotice fields={fields} mine={values} theirs={saved} choices={choices} submitLabel={words.confirm} />
      )}
      <RecordFields fields={fields} choices={choices} field={field} />
    </FormDialog>
  );
}

const fields: RecordField[] = [
  {
    name: "document_type",
    label: t("components.documentFields.documentType"),
    options: withAll(t("settings.releaseRules.allTypes"), Object.keys(documentTypes)),
  },
  { name: "branch_id", label: t("common.branch") },
  { name: "access_group_id", label: t("common.companyUsersAccessGroup") },
  {
    name: "field",
    label: t("settings.releaseRules.field"),
    hint: t("settings.releaseRules.fieldHint"),
    maxLength: 100,
  },
  {
    name: "at_least",
    label: t("settings.releaseRules.atLeast"),
    hint: t("settings.releaseRules.atLeastHint"),
    inputMode: "decimal",
    maxLength: 20,
  },
  {
    name: "releasers",
    label: t("settings.releaseRules.releasers"),
    options: [
      { value: "1", label: t("settings.releaseRules.one") },
      { value: "2", label: t("settings.releaseRules.two") },
    ],
  },
  { name: "withdrawals", label: t("settings.releaseRules.withdrawals"), type: "checkbox" },
];

/** The choices with the one for all, and with the rule's own, which may be removed or hidden. */
function withAll(label: string, options: Option[], id?: number | null, name = ""): Option[] {
  const isListed = !id || options.some((option) => typeof option !== "string" && option.value === String(id));
  return [{ value: "", label }, ...options, ...(isListed ? [] : [{ value: String(id), label: name }])];
}
