import { useState } from "react";
import { Field, type FieldState } from "../../components/field.tsx";
import { useHydrated } from "remix-utils/use-hydrated";

type Types = { name: string; subtypes: string[] }[];

/** Type and subtype. With scripts the subtypes are those of the chosen type; without, all of them in groups. */
export function TypeFields({ field, types }: { field(name: string): FieldState; types: Types }) {
  const isHydrated = useHydrated();
  const typeField = field("document_type");
  const [chosen, choose] = useState(String(typeField.initialValue ?? ""));
  const choice = { value: "", label: "Choose …" };
  const asOptions = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  const subtypes = types.find(({ name }) => name === chosen)?.subtypes;
  return (
    <>
      <Field
        field={typeField}
        label="Document type"
        options={[choice, ...asOptions(types.map(({ name }) => name))]}
        onChoose={choose}
      />
      <Field
        key={isHydrated ? chosen : ""}
        field={field("document_subtype")}
        label="Document subtype"
        options={[
          choice,
          ...(isHydrated && subtypes
            ? asOptions(subtypes)
            : types.map(({ name, subtypes }) => ({ label: name, options: asOptions(subtypes) }))),
        ]}
      />
    </>
  );
}
