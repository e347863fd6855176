import { t } from "#lib/messages/staff.ts";
import { type Choices, type RecordField, valueInWords } from "../record/record-fields.ts";
import { FormSection } from "../record/record-sections.tsx";

type Values = Record<string, unknown>;

type ConflictNoticeProps = {
  fields: RecordField[];
  /** What the user typed, and what was saved in the meantime. */
  mine: Values;
  theirs: Values;
  choices?: Record<string, Choices> | undefined;
  /** On the button that saves. */
  submitLabel: string;
};

/** Another user's values of the fields that differ from what was typed, after they saved first. */
export function ConflictNotice({ fields, mine, theirs, choices, submitLabel }: ConflictNoticeProps) {
  const differing = fields.flatMap((field) => {
    const [typed, saved] = [mine[field.name], theirs[field.name]];
    const differs = typeof typed === "string" && typeof saved === "string" && typed !== saved;
    return differs ? [{ ...field, saved: valueInWords(field, saved, choices?.[field.name]) }] : [];
  });
  if (differing.length === 0) return null;
  return (
    <FormSection id="meanwhile" title={t("components.conflictNotice.changedByAnotherUser")}>
      <div>
        <p className="mb-2">{t("components.conflictNotice.effect", { submitLabel })}</p>
        <dl className="facts facts-1">
          {differing.map(({ name, label, saved }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{saved || "–"}</dd>
            </div>
          ))}
        </dl>
      </div>
    </FormSection>
  );
}
