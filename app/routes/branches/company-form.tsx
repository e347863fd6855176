import type { SubmissionResult } from "@conform-to/react";
import { say } from "#messages/staff.ts";
import { imageSrc } from "../../components/avatar.tsx";
import type { OptionGroup } from "../../components/field.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { formState, type Values } from "../../components/form-state.ts";
import { RecordEditor } from "../../components/record-editor.tsx";
import type { Choices } from "../../components/record-fields.ts";
import { companySections } from "../../components/record-tables.ts";

type CompanyFormProps = {
  saved: Values;
  reply: SubmissionResult | undefined;
  country: Choices;
  timeZones: OptionGroup[];
};

/** The company profile to edit. */
export function CompanyForm({ saved, reply, country, timeZones }: CompanyFormProps) {
  const form = formState(saved, reply);
  return (
    <FormPage
      title={say("branches.companyForm.editCompanyProfile")}
      errors={form.summary}
      back={{ to: "/branches/profile", label: say("common.myProfile") }}
    >
      <RecordEditor
        form={form}
        sections={companySections}
        saved={saved}
        choices={{ country, timezone: { options: timeZones } }}
        picture={{ name: saved.name ?? "", src: imageSrc("company", saved.img ?? "") }}
        submitLabel={say("branches.companyForm.update")}
        cancelTo="/branches/profile"
      />
    </FormPage>
  );
}
