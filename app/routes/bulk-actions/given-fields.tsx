import { t } from "#lib/messages/staff.ts";
import { outcomeOptions } from "../../components/scan/case-words.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { Field, type FieldState } from "../../components/form/field.tsx";
import { WithdrawalFields } from "../../components/record/withdrawal-fields.tsx";
import type { Choices } from "./calls.server.ts";

type GivenFieldsProps = { act: string; choices: Choices; field(name: string): FieldState };

/** What the user gives with an act. */
export function GivenFields({ act, choices, field }: GivenFieldsProps) {
  const { groups = [], owners, reasons } = choices;
  switch (act) {
    case "group":
      return <Field field={field("group")} label={t("common.accessGroup")} isRequired options={["", ...groups]} />;
    case "assign":
      return owners ? (
        <Field field={field("owner")} label={t("common.owner")} isRequired options={owners} />
      ) : (
        <Field
          field={field("owner")}
          label={t("common.owner")}
          hint={t("bulk-actions.givenFields.ownerHint")}
          isRequired
        />
      );
    case "exit":
      return reasons && <WithdrawalFields field={field} reasons={reasons} />;
    case "prolong":
      return choices.allowable ? (
        <CheckboxField
          field={field("allow")}
          label={t("bulk-actions.givenFields.allow", { count: choices.allowable })}
        />
      ) : null;
    case "complete":
      return (
        <>
          <Field field={field("note")} label={t("bulk-actions.givenFields.completionNote")} isRequired rows={4} />
          {choices.hasOutcomes && (
            <Field
              field={field("outcome")}
              label={t("bulk-actions.givenFields.whatTheyWere")}
              options={outcomeOptions}
            />
          )}
        </>
      );
    case "reopen":
      return <Field field={field("note")} label={t("common.reason")} isRequired rows={4} />;
    default:
      return null;
  }
}
