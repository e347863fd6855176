import { lazy, Suspense } from "react";
import { t } from "#lib/messages/staff.ts";
import type { FileCheckWords } from "../../../components/scan/file-check-words.ts";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";
import { UploadList } from "../../../components/form/upload-list.tsx";
import { useUploads } from "../../../components/form/uploads.ts";

type Reply = { words?: FileCheckWords | undefined; refused?: string | undefined };

type FileCheckFormProps = {
  documentId: number;
  copies: number;
  uploads: ReturnType<typeof useUploads<Reply>>;
  isQuiet?: boolean;
};

const actionOf = (documentId: number) => `/documents/${documentId}/file-check`;

/** Sends a file to be compared with a document. */
export function FileCheckForm({ documentId, copies, isQuiet, uploads }: FileCheckFormProps) {
  const { reply, onSubmit, list } = uploads;
  const error = reply?.refused;
  return (
    <Form
      method="post"
      action={actionOf(documentId)}
      encType="multipart/form-data"
      className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
      noValidate
      onSubmit={onSubmit}
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
      <UploadList {...list} />
    </Form>
  );
}

const FileCheckResult = lazy(async () => ({ default: (await import("./file-check-result.tsx")).FileCheckResult }));

/** The section of a document's page that offers it, and has the answer if scripts send the file. */
export function FileCheckPanel({ documentId, copies }: { documentId: number; copies: number }) {
  const uploads = useUploads<Reply>(undefined, { to: actionOf(documentId) });
  const words = uploads.reply?.words;
  return (
    <section className="panel mt-5 max-w-[40rem] print:hidden" aria-labelledby="file-check">
      <div className="panel-head">
        <h2 id="file-check">{t("documents.fileCheckForm.doesAFileMatch")}</h2>
      </div>
      <Suspense>{words && <FileCheckResult words={words} />}</Suspense>
      <FileCheckForm documentId={documentId} copies={copies} uploads={uploads} isQuiet />
    </section>
  );
}
