import { Form } from "react-router";
import { Field, type Option } from "../../components/field.tsx";

/** Fills a new access group's form with the rights of another group. */
export const CopyRights = ({ groups, copied }: { groups: Option[]; copied: string }) => (
  <Form method="get" className="form-section border-b border-base-300" aria-labelledby="copy-from">
    <h2 id="copy-from">Copy from</h2>
    <div className="flex flex-wrap items-end gap-3">
      <Field
        className="min-w-64"
        field={{ id: "copy", name: "copy", initialValue: copied }}
        label="Copy the rights of"
        options={[{ value: "", label: "Choose …" }, ...groups]}
      />
      <button type="submit" className="btn btn-quiet">
        Copy rights
      </button>
    </div>
  </Form>
);
