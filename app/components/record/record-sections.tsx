import type { ReactNode } from "react";
import { ChoiceField } from "../form/choice-field.tsx";
import { CheckboxField } from "../form/checkbox-field.tsx";
import { Field, type FieldState } from "../form/field.tsx";
import type { Choices, RecordField, RecordSection } from "./record-fields.ts";

export type RecordControls = {
  field(name: string): FieldState;
  /** By field, if the table names none. */
  choices?: Record<string, Choices>;
  /** By section or field, in place of the table's. */
  hints?: Record<string, string | undefined>;
  /** By section, below its hint. */
  notes?: Record<string, ReactNode>;
  /** By field that is typed, behind its hint. */
  offers?: Record<string, ReactNode>;
  /** By field, if it has a control of its own. */
  controls?: Record<string, ReactNode>;
  /** Whether users type their own data, which the browser may fill in. */
  isOwn?: boolean;
};

/** A record's fields by section. */
export const RecordSections = ({ sections, ...props }: RecordControls & { sections: RecordSection[] }) =>
  sections.map(({ id, title, hint, fields }) => (
    <FormSection key={id} id={id} title={title} hint={props.hints?.[id] ?? hint} note={props.notes?.[id]}>
      <div className="form-grid">
        <RecordFields fields={fields} {...props} />
      </div>
    </FormSection>
  ));

type FormSectionProps = { id: string; title: string; hint?: string | undefined; note?: ReactNode; children: ReactNode };

/** A part of a form, its heading beside it if there is room. */
export const FormSection = ({ id, title, hint, note, children }: FormSectionProps) => (
  <section className="form-section" aria-labelledby={id}>
    <div>
      <h2 id={id}>{title}</h2>
      {hint && <p className="hint mt-1">{hint}</p>}
      {note}
    </div>
    {children}
  </section>
);

/** The controls of fields, except those that are read only. */
export const RecordFields = ({ fields, controls, ...props }: RecordControls & { fields: RecordField[] }) =>
  fields
    .filter(({ isReadOnly }) => !isReadOnly)
    .map((row) => controls?.[row.name] ?? <Control key={row.name} row={row} {...props} />);

function Control({
  row,
  field,
  choices,
  hints = {},
  offers = {},
  isOwn,
}: Omit<RecordControls, "controls"> & { row: RecordField }) {
  const { options, none, inWords: _, ...control } = row;
  const { name, type, hint, autoComplete } = control;
  const isAutomatic = isOwn || type === "password";
  const props = {
    ...control,
    field: field(name),
    hint: name in hints ? hints[name] : hint,
    // Not "off": after Back browsers then bring back what was typed, without scripts too.
    autoComplete: isAutomatic ? autoComplete : undefined,
  };
  if (type === "checkbox") return <CheckboxField {...props} />;
  const from = choices?.[name] ?? (options && { options });
  if (from) return <ChoiceField {...props} none={none} from={from} />;
  const offered = offers[name] && (
    <>
      {props.hint} <span className="block">{offers[name]}</span>
    </>
  );
  return <Field {...props} hint={offered ?? props.hint} />;
}
