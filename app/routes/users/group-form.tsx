import type { SubmissionResult } from "@conform-to/react";
import { useState } from "react";
import { Form } from "react-router";
import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areaNames, areas, permissionInWords } from "#provider/contract/areas.ts";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { ConflictNotice } from "../../components/conflict.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formId, useFormDialog } from "../../components/dialog-button.tsx";
import { Field, type Option } from "../../components/field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { formState, type Values } from "../../components/form-state.ts";
import { DefaultSubmit } from "../../components/default-submit.tsx";
import type { RecordField } from "../../components/record-fields.ts";
import { CopyRights } from "./copy-rights.tsx";
import { Meaning } from "./meaning.tsx";
import { completeArea, permissionsIn, RightsFields } from "./rights-fields.tsx";

type GroupFormProps = {
  group: AccessGroup | undefined;
  /** Whose rights a new one can copy. */
  groups: Option[];
  saved: Values;
  reply: SubmissionResult | undefined;
  /** Whether the provider has second factors. */
  hasFactors: boolean;
};

/** An access group's name and rights, with what they mean in words. */
export function GroupForm({ group, groups, saved, reply, hasFactors }: GroupFormProps) {
  const form = formState(saved, reply);
  const { values, field, isStale, isReply, version } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const [chosen, setChosen] = useState<Record<string, string>>();
  const submitLabel = group ? "Update access group" : "Add access group";
  return (
    <>
      <Form
        method="post"
        id={formId}
        data-unsaved={isReply ? "" : undefined}
        noValidate
        defaultShouldRevalidate
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
          <h2 id="group">Access group</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} />
            {hasFactors && (
              <CheckboxField
                field={field("requires_second_factor")}
                label="Require a second factor"
                hint="Members without one have to set it up before they can open any other page."
              />
            )}
          </div>
        </section>
        <section className="form-section" aria-labelledby="rights">
          <div>
            <h2 id="rights">Rights</h2>
            <p className="hint mt-1">
              For each area the scope, and what members may do in it. Write and create include read.
            </p>
          </div>
          <div>
            <RightsFields field={field} />
          </div>
        </section>
        {saved.identity_groups !== undefined && (
          <section className="form-section" aria-labelledby="single-sign-on">
            <div>
              <h2 id="single-sign-on">Single sign-on</h2>
              <p className="hint mt-1">
                At each sign-in, users who are in one of these groups at the identity provider come into this access
                group, new ones too. Of several access groups, the one with the most rights counts.
              </p>
            </div>
            <div className="form-grid">
              <Field
                field={field("identity_groups")}
                label="Groups at the identity provider"
                hint="One a line, as its claim names them"
                rows={3}
              />
            </div>
          </section>
        )}
        <section className="form-section scripted-words" aria-labelledby="meaning">
          <h2 id="meaning">In words</h2>
          <Meaning permissions={chosen ?? values} />
        </section>
        <FormFoot submitLabel={submitLabel} cancelTo="/users/roles" removal={group && "Remove access group"} />
      </Form>
      {group && isOpen && (
        <ConfirmDialog
          title={`Remove ${group.name}?`}
          confirm="Remove access group"
          intent="remove"
          isDanger
          closeTo={closeTo}
          name="remove"
          cancelForm={cancelForm}
        >
          <p>No user can be put into it any more, and no document can name it. Its history stays.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const groupFields: RecordField[] = [
  { name: "name", label: "Name" },
  { name: "requires_second_factor", label: "Require a second factor" },
  { name: "identity_groups", label: "Groups at the identity provider" },
  ...areas.map((area) => ({ name: area, label: areaNames[area], inWords: permissionInWords })),
];
