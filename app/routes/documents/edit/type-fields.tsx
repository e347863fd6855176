import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { t } from "#lib/messages/staff.ts";
import { typeFields } from "../../../components/record/document-fields.ts";
import { Field, type FieldState } from "../../../components/form/field.tsx";

type Types = { name: string; subtypes: string[] }[];

/** Type and subtype. With scripts the subtypes are those of the chosen type; without, all of them in groups. */
export function TypeFields({ field, types }: { field(name: string): FieldState; types: Types }) {
  const isHydrated = useHydrated();
  const { type, subtype } = typeFields;
  const typeField = field(type.name);
  const subtypeField = field(subtype.name);
  const storedType = String(typeField.initialValue ?? "");
  const [{ chosen, early }, choose] = useState<Choice>({ chosen: storedType });
  useEffect(() => readChoice(choose), []);
  const stored = chosen === storedType ? String(subtypeField.initialValue ?? "") : "";
  const subtypes = types.find(({ name }) => name === chosen)?.subtypes;
  return (
    <>
      <Field
        field={typeField}
        label={type.label}
        isRequired
        options={[none, ...types.map(({ name }) => name)]}
        onChoose={(chosen) => choose({ chosen })}
      />
      <Field
        key={isHydrated ? chosen : ""}
        field={{ ...subtypeField, initialValue: early ?? stored }}
        label={subtype.label}
        isRequired
        options={[
          none,
          ...(isHydrated && subtypes
            ? subtypes
            : types.map(({ name, subtypes }) => ({ label: name, options: subtypes }))),
        ]}
      />
    </>
  );
}

/** `early` is the subtype that was chosen before scripts came. */
type Choice = { chosen: string; early?: string };

function readChoice(report: (choice: Choice) => void) {
  const [chosen, early] = [typeFields.type, typeFields.subtype].map(
    ({ name }) => (document.getElementById(name) as HTMLSelectElement).value,
  ) as [string, string];
  report({ chosen, early });
}

const none = { value: "", label: t("common.choose") };
