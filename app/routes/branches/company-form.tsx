import type { SubmissionResult } from "@conform-to/react";
import { ArrowLeft } from "lucide-react";
import { Form, Link } from "react-router";
import { imageSrc } from "../../components/avatar.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Field, type OptionGroup } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { formState } from "../../components/form-state.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { SavedMeanwhile } from "../../components/record-form.tsx";

type CompanyFormProps = {
  saved: Record<string, string>;
  reply: SubmissionResult | undefined;
  timeZones: OptionGroup[];
};

/** The company profile as it is edited. */
export function CompanyForm({ saved, reply, timeZones }: CompanyFormProps) {
  const { values, field, summary, isStale, version } = formState(saved, reply);
  return (
    <>
      <PageTitle title="Edit company profile" hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <Link className="back" to="/profile">
        <ArrowLeft className="ico" />
        My profile
      </Link>
      <div className="page-head mt-1">
        <h1>Edit company profile</h1>
      </div>
      <Form method="post" encType="multipart/form-data" className="panel" noValidate preventScrollReset>
        <input type="hidden" name="version" value={version} />
        {isStale && <SavedMeanwhile typed={values} saved={saved} labels={labels} act="Update" />}
        <section className="form-section" aria-labelledby="company">
          <h2 id="company">Company</h2>
          <div className="form-grid">
            <Field field={field("name")} label={labels.name} maxLength={100} autoComplete="off" />
            <Field field={field("email")} label={labels.email} type="email" spellCheck={false} autoComplete="off" />
            <Field field={field("phone")} label={labels.phone} type="tel" autoComplete="off" />
            <ImageField field={field("image")} name={saved.name ?? ""} src={imageSrc("company", saved.img ?? "")} />
          </div>
        </section>
        <section className="form-section" aria-labelledby="place">
          <h2 id="place">Place</h2>
          <div className="form-grid">
            <Field field={field("country")} label={labels.country} autoComplete="off" />
            <Field field={field("city")} label={labels.city} autoComplete="off" />
            <Field field={field("index")} label={labels.index} autoComplete="off" />
            <Field field={field("address")} label={labels.address} autoComplete="off" />
            <Field
              field={field("timezone")}
              label={labels.timezone}
              hint="Dates and times are shown in it"
              options={timeZones}
            />
          </div>
        </section>
        <FormFoot act="Update" cancelTo="/branches/profile" />
      </Form>
    </>
  );
}

const labels = {
  name: "Name",
  email: "Email",
  phone: "Phone number",
  country: "Country",
  city: "City",
  index: "Index",
  address: "Address",
  timezone: "Time zone",
};
