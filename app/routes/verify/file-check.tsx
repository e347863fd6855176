import { Field } from "../../components/form/field.tsx";
import { useAddress, useWords } from "./said.tsx";

type FileCheckProps = { code: string; error?: string | undefined };

/** Sends a file to be compared with a code's document. It works without scripts. */
export function FileCheckForm({ code, error }: FileCheckProps) {
  const { t } = useWords();
  const to = useAddress();
  return (
    <form method="post" action={to(`/v/${code}/file`)} encType="multipart/form-data" className="tell">
      <Field
        field={{ id: "file", name: "file", errors: error ? [error] : undefined }}
        label={t("file.label")}
        hint={t("file.hint")}
        errorMark={t("frame.errorMark")}
        type="file"
        accept=".pdf"
      />
      <button type="submit" className="btn btn-primary">
        {t("file.compare")}
      </button>
    </form>
  );
}

/** The part of the verification page that offers it. */
export function FileCheck({ code }: { code: string }) {
  const { t } = useWords();
  return (
    <div className="part foot">
      <details>
        <summary className="btn">{t("file.ask")}</summary>
        <FileCheckForm code={code} />
      </details>
    </div>
  );
}
