import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import type { Profile } from "#provider/contract/profile.ts";
import { imageSrc } from "../../components/avatar.tsx";
import { asksPassword, CurrentPassword, withPassword } from "../../components/current-password.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { formState } from "../../components/form-state.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { asTyped, SavedMeanwhile } from "../../components/record-form.tsx";

type ProfileFormProps = { profile: Profile; reply: SubmissionResult | undefined };

/** One's own data, to be changed. */
export function ProfileForm({ profile, reply }: ProfileFormProps) {
  const saved = asTyped(profile);
  const { values, field, summary, isStale, version } = formState(saved, reply);
  const isAsked = asksPassword({ values, field });
  return (
    <>
      <PageTitle title="Edit my data" hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <div className="page-head">
        <h1>Edit my data</h1>
      </div>
      <Form method="post" encType="multipart/form-data" className="panel" noValidate preventScrollReset>
        <input type="hidden" name="version" value={version} />
        {isStale && <SavedMeanwhile typed={values} saved={saved} labels={labels} act="Update" />}
        <section className="form-section" aria-labelledby="person">
          <div>
            <h2 id="person">Person</h2>
            <p className="hint mt-1">
              You sign in with your email. A new one waits until you confirm it from your mail.
            </p>
          </div>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} autoComplete="name" />
            <Field field={field("email")} label="Email" type="email" spellCheck={false} autoComplete="email" />
            {isAsked && <CurrentPassword field={field} />}
            <Field field={field("phone")} label="Phone" type="tel" autoComplete="tel" />
            <ImageField field={field("image")} name={profile.name} src={imageSrc("profile", profile.imageUrl)} />
          </div>
        </section>
        <section className="form-section" aria-labelledby="place">
          <h2 id="place">Place</h2>
          <div className="form-grid">
            <Field field={field("country")} label="Country" autoComplete="country-name" />
            <Field field={field("city")} label="City" autoComplete="address-level2" />
            <Field field={field("index")} label="Index" autoComplete="postal-code" />
            <Field field={field("address")} label="Address" autoComplete="address-line1" />
          </div>
        </section>
        <FormFoot act="Update" {...(isAsked && { intent: withPassword })} cancelTo="/profile" />
      </Form>
    </>
  );
}

const labels = {
  name: "Name",
  email: "Email",
  phone: "Phone",
  country: "Country",
  city: "City",
  index: "Index",
  address: "Address",
};
