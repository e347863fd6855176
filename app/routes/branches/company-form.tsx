import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import type { OptionGroup } from "../../components/form/field.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState, type Values } from "../../components/form/form-state.ts";
import { RecordEditor } from "../../components/record/record-editor.tsx";
import type { Choices } from "../../components/record/record-fields.ts";
import { companySections } from "../../components/record/record-tables.ts";

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
      title={t("branches.companyForm.editCompanyProfile")}
      errors={form.summary}
      back={{ to: "/branches/profile", label: t("common.myProfile") }}
    >
      <RecordEditor
        form={form}
        sections={companySections}
        saved={saved}
        choices={{ country, timezone: { options: timeZones } }}
        picture={{ name: saved.name ?? "", src: imageSrc("company", saved.img ?? "") }}
        submitLabel={t("branches.companyForm.update")}
        cancelTo="/branches/profile"
      />
    </FormPage>
  );
}
