import { Field } from "../../components/form/field.tsx";
import { useAddress, useWords } from "./said.tsx";

type FileCheckProps = { code: string; error?: string | undefined };

/** Sends a file to be compared with a code's document. It works without scripts. */
export function FileCheckForm({ code, error }: FileCheckProps) {
  const { say } = useWords();
  const to = useAddress();
  return (
    <form method="post" action={to(`/v/${code}/file`)} encType="multipart/form-data" className="tell">
      <Field
        field={{ id: "file", name: "file", errors: error ? [error] : undefined }}
        label={say("file.label")}
        hint={say("file.hint")}
        errorMark={say("frame.errorMark")}
        type="file"
        accept=".pdf"
      />
      <button type="submit" className="btn btn-primary">
        {say("file.compare")}
      </button>
    </form>
  );
}

/** The part of the verification page that offers it. */
export function FileCheck({ code }: { code: string }) {
  const { say } = useWords();
  return (
    <div className="part foot">
      <details>
        <summary className="btn">{say("file.ask")}</summary>
        <FileCheckForm code={code} />
      </details>
    </div>
  );
}
