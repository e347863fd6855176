import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";

type KindFormProps = {
  issue: Pick<BulkIssue, "content" | "template" | "templates">;
  error: string | undefined;
};

/** Where the pages come from: a ZIP of page files, or a template that is filled from each row. */
export const KindForm = ({ issue: { content, template, templates }, error }: KindFormProps) => (
  <section className="panel mb-5" aria-labelledby="kind-title">
    <div className="panel-head">
      <h2 id="kind-title">{t("documents.bulk.kindForm.whereThePagesComeFrom")}</h2>
    </div>
    <Form
      method="post"
      action="?kind"
      className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
      noValidate
    >
      <fieldset>
        <legend className="sr-only">{t("documents.bulk.kindForm.whereThePagesComeFrom")}</legend>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="zip"
            defaultChecked={content === "zip"}
          />
          {t("documents.bulk.kindForm.zipOfPageFiles")}
        </label>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="template"
            defaultChecked={content === "template"}
          />
          {t("documents.bulk.kindForm.filledTemplate")}
        </label>
      </fieldset>
      <Field
        field={{
          id: "template",
          name: "template",
          errors: error ? [error] : undefined,
          initialValue: template === null ? "" : String(template),
        }}
        className="w-full"
        label={t("documents.bulk.kindForm.template")}
        hint={
          templates.length === 0
            ? t("documents.bulk.kindForm.companyHasNone")
            : t("documents.bulk.kindForm.ofYourCompany")
        }
        options={[
          { value: "", label: t("common.none") },
          ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <button type="submit" className="btn btn-quiet">
        {t("documents.bulk.kindForm.saveChoice")}
      </button>
    </Form>
  </section>
);
