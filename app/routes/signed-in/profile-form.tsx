import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Profile } from "#provider/contract/profile.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { RecordEditor } from "../../components/record/record-editor.tsx";
import { type Choices, formValues } from "../../components/record/record-fields.ts";
import { profileSections } from "../../components/record/record-tables.ts";

type ProfileFormProps = { profile: Profile; country: Choices | undefined; reply: SubmissionResult | undefined };

/** The signed-in user's own data to edit. */
export default function ProfileForm({ profile, country, reply }: ProfileFormProps) {
  const saved = formValues(profile);
  const form = formState(saved, reply);
  return (
    <FormPage title={t("signed-in.profileForm.editMyData")} errors={form.summary}>
      <RecordEditor
        form={form}
        sections={profileSections}
        saved={saved}
        picture={{ name: profile.name, src: imageSrc("profile", profile.imageUrl) }}
        choices={country && { country }}
        isOwn
        submitLabel={t("signed-in.profileForm.update")}
        cancelTo="/profile"
      />
    </FormPage>
  );
}
