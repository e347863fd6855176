import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { typeFields } from "../../components/document-fields.ts";
import { Field, type FieldState } from "../../components/field.tsx";

type Types = { name: string; subtypes: string[] }[];

/** Type and subtype. With scripts the subtypes are those of the chosen type; without, all of them in groups. */
export function TypeFields({ field, types }: { field(name: string): FieldState; types: Types }) {
  const isHydrated = useHydrated();
  const { type, subtype } = typeFields;
  const typeField = field(type.name);
  const storedType = String(typeField.initialValue ?? "");
  const [chosen, choose] = useState(storedType);
  const stored = field(subtype.name);
  const subtypes = types.find(({ name }) => name === chosen)?.subtypes;
  return (
    <>
      <Field
        field={typeField}
        label={type.label}
        options={[none, ...types.map(({ name }) => name)]}
        onChoose={choose}
      />
      <Field
        key={isHydrated ? chosen : ""}
        field={chosen === storedType ? stored : { ...stored, initialValue: "" }}
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

const none = { value: "", label: "Choose …" };
