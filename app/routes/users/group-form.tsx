import type { SubmissionResult } from "@conform-to/react";
import { useState } from "react";
import { t } from "#lib/messages/staff.ts";
import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areas } from "#provider/contract/areas.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { ConflictNotice } from "../../components/form/conflict-notice.tsx";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { formId, useFormDialog } from "../../components/dialog/dialog-button.tsx";
import { Field, type Option } from "../../components/form/field.tsx";
import { FormFoot } from "../../components/form/form-foot.tsx";
import { formState, type Values } from "../../components/form/form-state.ts";
import { DefaultSubmit } from "../../components/form/default-submit.tsx";
import { Form } from "../../components/form/form.tsx";
import type { RecordField } from "../../components/record/record-fields.ts";
import { areaNames } from "../../components/user/area-words.ts";
import { CopyRights } from "./copy-rights.tsx";
import { inWords } from "./group-words.ts";
import { Meaning } from "./meaning.tsx";
import { completeArea, permissionsIn, RightsFields } from "./rights-fields.tsx";

type GroupFormProps = {
  group: AccessGroup | undefined;
  /** Whose rights a new one can copy. */
  groups: Option[];
  saved: Values;
  reply: SubmissionResult | undefined;
  /** Whether the provider has second factors, and releases. */
  hasFactors: boolean;
  hasReleases: boolean;
};

/** An access group's name and rights, with what they mean in words. */
export function GroupForm({ group, groups, saved, reply, hasFactors, hasReleases }: GroupFormProps) {
  const form = formState(saved, reply, ["requires_second_factor"]);
  const { values, field, isStale, isReply, version } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const [chosen, setChosen] = useState<Record<string, string>>();
  const submitLabel = group ? t("users.groupForm.updateAccessGroup") : t("users.groupForm.addAccessGroup");
  return (
    <>
      <Form
        method="post"
        id={formId}
        data-unsaved={isReply ? "" : undefined}
        noValidate
        onInput={({ target, currentTarget }) => {
          completeArea(currentTarget, target as unknown as HTMLInputElement);
          setChosen(permissionsIn(new FormData(currentTarget)));
        }}
      >
        <DefaultSubmit value="save" />
        {group && <input type="hidden" name="version" value={version} />}
        {isStale && <ConflictNotice fields={groupFields} mine={values} theirs={saved} submitLabel={submitLabel} />}
        {groups.length > 0 && <CopyRights groups={groups} field={field("copy")} />}
        <section className="form-section" aria-labelledby="group">
          <h2 id="group">{t("common.accessGroup")}</h2>
          <div className="form-grid">
            <Field field={field("name")} label={t("common.name")} maxLength={100} />
            {hasFactors && (
              <CheckboxField
                field={field("requires_second_factor")}
                label={t("users.groupForm.requireASecondFactor")}
                hint={t("users.groupForm.whatRequiringDoes")}
              />
            )}
          </div>
        </section>
        <section className="form-section" aria-labelledby="rights">
          <div>
            <h2 id="rights">{t("common.rights")}</h2>
            <p className="hint mt-1">{t("users.groupForm.whatRightsAre")}</p>
          </div>
          <div>
            <RightsFields field={field} hasReleases={hasReleases} />
          </div>
        </section>
        {saved.identity_groups !== undefined && (
          <section className="form-section" aria-labelledby="single-sign-on">
            <div>
              <h2 id="single-sign-on">{t("common.singleSignOn")}</h2>
              <p className="hint mt-1">{t("users.groupForm.whatIdentityGroupsDo")}</p>
            </div>
            <div className="form-grid">
              <Field
                field={field("identity_groups")}
                label={t("common.groupsAtTheIdentityProvider")}
                hint={t("users.groupForm.identityGroupsHint")}
                rows={3}
              />
            </div>
          </section>
        )}
        <section className="form-section scripted-words" aria-labelledby="meaning">
          <h2 id="meaning">{t("users.groupForm.inWords")}</h2>
          <Meaning permissions={chosen ?? values} />
        </section>
        <FormFoot
          submitLabel={submitLabel}
          cancelTo="/users/roles"
          removal={group && t("users.groupForm.removeAccessGroup")}
        />
      </Form>
      {group && isOpen && (
        <ConfirmDialog
          title={t("common.removeName", { name: group.name })}
          confirm={t("users.groupForm.removeAccessGroup")}
          intent="remove"
          isDanger
          closeTo={closeTo}
          name="remove"
          cancelForm={cancelForm}
        >
          <p>{t("users.groupForm.whatRemovingDoes")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const groupFields: RecordField[] = [
  { name: "name", label: t("common.name") },
  { name: "requires_second_factor", label: t("users.groupForm.requireASecondFactor") },
  { name: "identity_groups", label: t("common.groupsAtTheIdentityProvider") },
  ...areas.map((area) => ({ name: area, label: areaNames[area], inWords })),
];
