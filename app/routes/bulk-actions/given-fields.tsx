import { outcomeOptions } from "../../components/case-words.ts";
import { Field, type FieldState } from "../../components/field.tsx";
import { WithdrawalFields } from "../../components/withdrawal-fields.tsx";
import type { Choices } from "./calls.server.ts";

type GivenFieldsProps = { act: string; choices: Choices; field(name: string): FieldState };

/** What the user gives with an act. */
export function GivenFields({ act, choices, field }: GivenFieldsProps) {
  const { groups = [], owners, reasons } = choices;
  switch (act) {
    case "group":
      return <Field field={field("group")} label="Access group" isRequired options={["", ...groups]} />;
    case "assign":
      return owners ? (
        <Field field={field("owner")} label="Owner" isRequired options={owners} />
      ) : (
        <Field
          field={field("owner")}
          label="Owner"
          hint="Email address of a colleague who may see these alerts, me, or nobody"
          isRequired
        />
      );
    case "exit":
      return reasons && <WithdrawalFields field={field} reasons={reasons} />;
    case "complete":
      return (
        <>
          <Field field={field("note")} label="What was found, or what was done" isRequired rows={4} />
          {choices.hasOutcomes && <Field field={field("outcome")} label="What they were" options={outcomeOptions} />}
        </>
      );
    case "reopen":
      return <Field field={field("note")} label="Reason" isRequired rows={4} />;
    default:
      return null;
  }
}
