import { Form } from "react-router";
import { keyLimits } from "#provider/contract/api-key-limits.ts";
import { type Area, areaNames } from "#provider/contract/areas.ts";
import { DefaultSubmit } from "../../components/default-submit.tsx";
import { Field, FieldError, type FieldState } from "../../components/field.tsx";
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
        <section className="form-section" aria-labelledby="scope">
          <div>
            <h2 id="scope">What it may do</h2>
            <p className="hint mt-1">Never more than you may do yourself at that moment.</p>
          </div>
          <div className="form-grid">
            <Choices legend="Rights" field={field("scope")}>
              {(Object.keys(scopes) as (keyof typeof scopes)[]).map((scope) => (
                <label key={scope} className="choice">
                  <input
                    className="radio radio-primary"
                    type="radio"
                    name="scope"
                    value={scope}
                    defaultChecked={form.values.scope === scope}
                  />
                  {scopes[scope]}
                </label>
              ))}
            </Choices>
            <Choices legend="Areas, at least one" field={field("areas")}>
              {offered.map((area) => (
                <label key={area} className="choice">
                  <input
                    className="checkbox checkbox-primary"
                    type="checkbox"
                    name="areas"
                    value={area}
                    defaultChecked={chosen.includes(area)}
                  />
                  {areaNames[area]}
                </label>
              ))}
            </Choices>
          </div>
        </section>
        <FormFoot submitLabel="Make the API key" cancelTo="/profile/api-keys" />
      </Form>
    </section>
  );
}

const scopes = {
  read: "Read",
  write: "Read, change and create, but never users, access groups or tariffs",
};

type ChoicesProps = { legend: string; field: FieldState; children: React.ReactNode };

const Choices = ({ legend, field: { id, errors }, children }: ChoicesProps) => (
  <fieldset
    id={id}
    tabIndex={-1}
    className={`field ${errors ? "field-bad" : ""}`}
    aria-describedby={errors ? `${id}-error` : undefined}
  >
    <legend>{legend}</legend>
    {errors?.[0] && <FieldError id={`${id}-error`} message={errors[0]} />}
    {children}
  </fieldset>
);
