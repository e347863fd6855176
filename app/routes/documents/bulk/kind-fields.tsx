import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Field } from "../../../components/form/field.tsx";

type KindFieldsProps = {
  issue: Pick<BulkIssue, "content" | "template" | "templates">;
  error: string | undefined;
};

/** Where the pages come from: a ZIP of page files, or a template that is filled from each row. */
export const KindFields = ({ issue: { content, template, templates }, error }: KindFieldsProps) => (
  <section className="panel mb-5" aria-labelledby="kind-title">
    <div className="panel-head">
      <h2 id="kind-title">{t("documents.bulk.kindFields.whereThePagesComeFrom")}</h2>
    </div>
    <div className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4">
      <fieldset>
        <legend className="sr-only">{t("documents.bulk.kindFields.whereThePagesComeFrom")}</legend>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="zip"
            defaultChecked={content === "zip"}
          />
          {t("documents.bulk.kindFields.zipOfPageFiles")}
        </label>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="template"
            defaultChecked={content === "template"}
          />
          {t("documents.bulk.kindFields.filledTemplate")}
        </label>
      </fieldset>
      <Field
        field={{
          id: "template",
          name: "template",
          errors: error ? [error] : undefined,
          initialValue: template === null ? "" : String(template),
        }}
        className="template-choice w-full"
        label={t("documents.bulk.kindFields.template")}
        hint={
          templates.length === 0
            ? t("documents.bulk.kindFields.companyHasNone")
            : t("documents.bulk.kindFields.ofYourCompany")
        }
        options={[
          { value: "", label: t("common.none") },
          ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </div>
  </section>
);
