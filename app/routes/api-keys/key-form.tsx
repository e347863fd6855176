import { Form } from "react-router";
import { keyLimits, type KeyScope } from "#provider/contract/api-key-limits.ts";
import { type Area, areaNames } from "#provider/contract/areas.ts";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { DefaultSubmit } from "../../components/default-submit.tsx";
import { Field } from "../../components/field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import type { formState } from "../../components/form-state.ts";

type KeyFormProps = {
  form: ReturnType<typeof formState>;
  /** The areas in which the user has rights. */
  offered: Area[];
  /** Those that are ticked. */
  chosen: string[];
};

/** An API key's name, last day and scope. */
export function KeyForm({ form, offered, chosen }: KeyFormProps) {
  const { field, isReply } = form;
  if (offered.length === 0) {
    return <p className="notice is-warn">You have no rights that a key could use: ask an administrator.</p>;
  }
  return (
    <section className="panel overflow-hidden" aria-label="API key">
      <Form method="post" data-unsaved={isReply ? "" : undefined} noValidate>
        <DefaultSubmit value="save" />
        <section className="form-section" aria-labelledby="key">
          <h2 id="key">Key</h2>
          <div className="form-grid">
            <Field
              field={field("name")}
              label="Name"
              isRequired
              maxLength={60}
              hint="What uses it: your colleagues read the name in the audit trail."
            />
            <Field
              field={field("expires_on")}
              label="Valid until"
              isRequired
              isDate
              hint={`Day, month, year; ${keyLimits.days} days from today at most.`}
            />
          </div>
        </section>
        <section className="form-section" aria-labelledby="allowed">
          <div>
            <h2 id="allowed">What it may do</h2>
            <p className="hint mt-1">Never more than you may do yourself at that moment.</p>
          </div>
          <div className="form-grid">
            <ChoiceGroup
              field={field("scope")}
              legend="Rights"
              type="radio"
              options={scopes}
              chosen={[form.values.scope]}
            />
            <ChoiceGroup
              field={field("areas")}
              legend="Areas, at least one"
              type="checkbox"
              options={offered.map((area) => ({ value: area, label: areaNames[area] }))}
              chosen={chosen}
            />
          </div>
        </section>
        <FormFoot submitLabel="Make the API key" cancelTo="/profile/api-keys" />
      </Form>
    </section>
  );
}

const scopes = [
  { value: "read", label: "Read" },
  { value: "write", label: "Read, change and create, but never users, access groups or tariffs" },
] satisfies { value: KeyScope; label: string }[];
