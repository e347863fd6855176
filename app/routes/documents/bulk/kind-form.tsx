import { Form } from "react-router";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Field } from "../../../components/field.tsx";

type KindFormProps = {
  issue: Pick<BulkIssue, "content" | "template" | "templates">;
  error: string | undefined;
};

/** Where the pages come from: a ZIP of page files, or a template that is filled from each row. */
export const KindForm = ({ issue: { content, template, templates }, error }: KindFormProps) => (
  <section className="panel mb-5" aria-labelledby="kind-title">
    <div className="panel-head">
      <h2 id="kind-title">Where the pages come from</h2>
    </div>
    <Form
      method="post"
      action="?kind"
      className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
      noValidate
    >
      <fieldset>
        <legend className="sr-only">Where the pages come from</legend>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="zip"
            defaultChecked={content === "zip"}
          />
          A ZIP with a page file for each row
        </label>
        <label className="choice">
          <input
            className="radio radio-primary"
            type="radio"
            name="content"
            value="template"
            defaultChecked={content === "template"}
          />
          A template that is filled from each row
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
        label="Template"
        hint={templates.length === 0 ? "Your company has none yet." : "Of your company"}
        options={[
          { value: "", label: "None" },
          ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <button type="submit" className="btn btn-quiet">
        Save choice
      </button>
    </Form>
  </section>
);
