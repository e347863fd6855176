import { useNavigation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";

type FileCheckFormProps = { documentId: number; copies: number; error?: string | undefined; isQuiet?: boolean };

/** Sends a file to be compared with a document. */
export function FileCheckForm({ documentId, copies, error, isQuiet }: FileCheckFormProps) {
  const action = `/documents/${documentId}/file-check`;
  const { state, formAction } = useNavigation();
  const isSending = state !== "idle" && formAction === action;
  return (
    <Form
      method="post"
      action={action}
      encType="multipart/form-data"
      className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
      noValidate
      data-saves-nothing
    >
      <Field
        field={{ id: "file", name: "file", errors: error ? [error] : undefined }}
        label={t("documents.fileCheckForm.pdfFile")}
        hint={t("documents.fileCheckForm.fileLimits")}
        type="file"
        accept=".pdf"
        className="w-full"
      />
      {copies > 1 && (
        <Field
          field={{ id: "copy", name: "copy", initialValue: "1" }}
          label={t("common.copy")}
          hint={t("documents.fileCheckForm.copyHint")}
          options={Array.from({ length: copies }, (_, index) => String(index + 1))}
        />
      )}
      <button type="submit" className={`btn ${isQuiet ? "btn-quiet" : "btn-primary"}`}>
        {t("documents.fileCheckForm.compareFile")}
      </button>
      <p className="text-sm text-muted" role="status">
        {isSending ? t("documents.fileCheckForm.comparing") : ""}
      </p>
    </Form>
  );
}

/** The section of a document's page that offers it. */
export const FileCheckPanel = ({ documentId, copies }: { documentId: number; copies: number }) => (
  <section className="panel mt-5 max-w-[40rem] print:hidden" aria-labelledby="file-check">
    <div className="panel-head">
      <h2 id="file-check">{t("documents.fileCheckForm.doesAFileMatch")}</h2>
    </div>
    <FileCheckForm documentId={documentId} copies={copies} isQuiet />
  </section>
);
