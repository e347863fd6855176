import { imageSrc } from "../../components/avatar.tsx";
import type { OptionGroup } from "../../components/field.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { RecordEditor } from "../../components/record-editor.tsx";
import { recordForm, type Refusal } from "../../components/record-form.tsx";
import { companySections } from "../../components/record-tables.ts";

type CompanyFormProps = {
  saved: Record<string, string>;
  refusal: Refusal | undefined;
  timeZones: OptionGroup[];
};

/** The company profile to edit. */
export function CompanyForm({ saved, refusal, timeZones }: CompanyFormProps) {
  const form = recordForm(saved, refusal);
  return (
    <FormPage title="Edit company profile" errors={form.summary} back={{ to: "/profile", label: "My profile" }}>
      <RecordEditor
        form={form}
        sections={companySections}
        saved={saved}
        choices={{ timezone: { options: timeZones } }}
        picture={{ name: saved.name ?? "", src: imageSrc("company", saved.img ?? "") }}
        submitLabel="Update"
        cancelTo="/branches/profile"
      />
    </FormPage>
  );
}
