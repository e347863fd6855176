import { ChoiceField } from "../../components/choice-field.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { Field, type FieldState } from "../../components/field.tsx";

/** What the forms of a document choose from, as the provider says. */
type Options = {
  access_types: string[];
  groups: string[];
  owners: { name: string; email: string }[];
  /** The next free number; empty where the provider proposes none. */
  number: string;
  /** Whether a group can be typed that the list does not name. */
  isOpen: boolean;
};

type SystemFieldsProps = {
  field(name: string): FieldState;
  options: Options;
  /** An issued document's number stays as it is. */
  hasNumber: boolean;
};

const asOptions = (values: string[]) => values.map((value) => ({ value, label: value }));

/** The fields that every document has (`docs/specification.md` section 2, step 2 of the wizard). */
export function SystemFields({ field, options, hasNumber }: SystemFieldsProps) {
  return (
    <>
      {hasNumber && (
        <Field
          field={field("number")}
          label="Document number"
          hint={
            field("number").errors
              ? undefined
              : options.number
                ? "This one is free. You can type another."
                : "Empty: the provider chooses one."
          }
          maxLength={50}
        />
      )}
      <Field field={field("date")} label="Creation date" hint="Day, month, year, like 19-11-2026" inputMode="numeric" />
      <Field field={field("name")} label="Document name" className="col-span-full" maxLength={200} />
      <Field
        field={field("email")}
        label="User email"
        type="email"
        list="owners"
        hint="Whose document it is"
        spellCheck={false}
      />
      <datalist id="owners">
        {options.owners.map(({ name, email }) => (
          <option key={email} value={email}>
            {name}
          </option>
        ))}
      </datalist>
      <ChoiceField
        field={field("users_access_group")}
        label="Company users access group"
        hint="Who sees it besides the user and administrators"
        from={{ names: options.groups, isOpen: options.isOpen }}
      />
      <Field
        field={field("expire_type")}
        label="Expire type"
        options={[
          { value: "never", label: "Never" },
          { value: "date", label: "On a date" },
        ]}
      />
      <Field field={field("expire_date")} label="Expire date" inputMode="numeric" placeholder="DD-MM-YYYY" />
      <Field
        field={field("access_type")}
        label="Document access type"
        hint="What somebody sees who scans the code: the facts, or the pages as well"
        options={asOptions(options.access_types)}
      />
      <div>
        <input type="hidden" name="has_prolongation" value="1" />
        <CheckboxField
          field={field("prolongation")}
          label="Prolongation"
          hint="It can be extended by its first period, with one press"
        />
      </div>
    </>
  );
}
