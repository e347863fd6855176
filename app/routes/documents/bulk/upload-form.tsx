import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";

type UploadFormProps = {
  /** The field's, and the part of the address that says what is sent. */
  name: "table" | "archive";
  title: string;
  label: string;
  hint: string;
  accept: string;
  /** What is there already. */
  given: string;
  error: string | undefined;
  /** More fields of the form. */
  fields?: ReactNode;
  /** Below the form. */
  children?: ReactNode;
};

const words = {
  table: {
    add: t("documents.bulk.uploadForm.addTable"),
    replace: t("documents.bulk.uploadForm.replaceTable"),
  },
  archive: {
    add: t("documents.bulk.uploadForm.addZip"),
    replace: t("documents.bulk.uploadForm.replaceZip"),
  },
};

/** Sends one file at once; it replaces the one before. */
export function UploadForm({ name, title, label, hint, accept, given, error, fields, children }: UploadFormProps) {
  const { state, formAction } = useNavigation();
  const isSending = state !== "idle" && formAction?.endsWith(`?upload=${name}`) === true;
  return (
    <section className="panel mb-5" aria-labelledby={`${name}-title`}>
      <div className="panel-head">
        <h2 id={`${name}-title`}>{title}</h2>
        {given && (
          <p className="inline-flex items-center gap-2 [overflow-wrap:anywhere]">
            <CircleCheck className="ico text-success" />
            {given}
          </p>
        )}
      </div>
      {/* Remounted once a file is there, so that the box is empty again. */}
      <Form
        key={given}
        method="post"
        action={`?upload=${name}`}
        encType="multipart/form-data"
        className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
        noValidate
      >
        <Field
          field={{ id: name, name, errors: error ? [error] : undefined }}
          label={label}
          hint={hint}
          type="file"
          accept={accept}
          className="w-full"
        />
        {fields}
        <button type="submit" className={given ? "btn btn-quiet" : "btn btn-primary"}>
          {given ? words[name].replace : words[name].add}
        </button>
        <p className="text-sm text-muted" role="status">
          {isSending ? t("documents.bulk.uploadForm.receiving") : ""}
        </p>
      </Form>
      {children}
    </section>
  );
}
