import type { Profile } from "#provider/contract/profile.ts";
import { imageSrc } from "../../components/avatar.tsx";
import { asksPassword, withPassword } from "../../components/current-password.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { RecordEditor } from "../../components/record-editor.tsx";
import { formValues, without } from "../../components/record-fields.ts";
import { recordForm, type Refusal } from "../../components/record-form.tsx";
import { profileSections } from "../../components/record-tables.ts";

type ProfileFormProps = { profile: Profile; refusal: Refusal | undefined };

/** The signed-in user's own data to edit. */
export function ProfileForm({ profile, refusal }: ProfileFormProps) {
  const saved = formValues(profile);
  const form = recordForm(saved, refusal);
  const isAsked = asksPassword(refusal);
  return (
    <FormPage title="Edit my data" errors={form.summary}>
      <RecordEditor
        form={form}
        sections={without(profileSections, isAsked ? [] : ["current_password"])}
        saved={saved}
        picture={{ name: profile.name, src: imageSrc("profile", profile.imageUrl) }}
        isOwn
        submitLabel="Update"
        go={isAsked ? withPassword : undefined}
        cancelTo="/profile"
      />
    </FormPage>
  );
}
