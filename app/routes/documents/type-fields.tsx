import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { typeFields } from "../../components/document-fields.ts";
import { Field, type FieldState } from "../../components/field.tsx";

type Types = { name: string; subtypes: string[] }[];

/** Type and subtype. With scripts the subtypes are those of the chosen type; without, all of them in groups. */
export function TypeFields({ field, types }: { field(name: string): FieldState; types: Types }) {
  const isHydrated = useHydrated();
  const { type, subtype } = typeFields;
  const typeField = field(type.name);
  const subtypeField = field(subtype.name);
  const storedType = String(typeField.initialValue ?? "");
  const [chosen, choose] = useState(storedType);
  /** What was chosen before scripts came. */
  const [early, keep] = useState<{ type: string; subtype: string }>();
  useEffect(() => {
    const [type, subtype] = [typeField, subtypeField].map(({ id }) => chosenAt(id)) as [string, string];
    choose(type);
    keep({ type, subtype });
  }, []);
  const stored = chosen === storedType ? String(subtypeField.initialValue ?? "") : "";
  const subtypes = types.find(({ name }) => name === chosen)?.subtypes;
  return (
    <>
      <Field
        field={typeField}
        label={type.label}
        options={[none, ...types.map(({ name }) => name)]}
        onChoose={(type) => {
          choose(type);
          keep(undefined);
        }}
      />
      <Field
        key={isHydrated ? chosen : ""}
        field={{ ...subtypeField, initialValue: chosen === early?.type ? early.subtype : stored }}
        label={subtype.label}
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

const chosenAt = (id: string) => (document.getElementById(id) as HTMLSelectElement).value;

const none = { value: "", label: "Choose …" };
