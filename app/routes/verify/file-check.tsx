import { Field } from "../../components/field.tsx";

type FileCheckProps = { code: string; error?: string | undefined };

/** Sends a file to be compared with a code's document. It works without scripts. */
export const FileCheckForm = ({ code, error }: FileCheckProps) => (
  <form method="post" action={`/v/${code}/file`} encType="multipart/form-data" className="tell">
    <Field
      field={{ id: "file", name: "file", errors: error ? [error] : undefined }}
      label="PDF file"
      hint="25 MB at most. It is compared with the document and not stored."
      type="file"
      accept=".pdf,.jpg,.jpeg,.png"
    />
    <button type="submit" className="btn btn-primary">
      Compare file
    </button>
  </form>
);

/** The part of the verification page that offers it. */
export const FileCheck = ({ code }: { code: string }) => (
  <div className="part foot">
    <details>
      <summary className="btn">Does your file match?</summary>
      <FileCheckForm code={code} />
    </details>
  </div>
);
