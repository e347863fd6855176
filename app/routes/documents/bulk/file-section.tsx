import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Field } from "../../../components/form/field.tsx";

type FileSectionProps = {
  name: "table" | "archive";
  title: string;
  label: string;
  hint: string;
  accept: string;
  /** What is there already, which a file replaces. */
  given: string;
  error: string | undefined;
  /** How the file is read. */
  reading?: ReactNode;
};

/** One file of the form, and what is there already. */
export const FileSection = ({ name, title, label, hint, accept, given, error, reading }: FileSectionProps) => (
  <section className={`panel mb-5 bulk-${name}`} aria-labelledby={`${name}-title`}>
    <div className="panel-head">
      <h2 id={`${name}-title`}>{title}</h2>
      {given && (
        <p className="inline-flex items-center gap-2 [overflow-wrap:anywhere]">
          <CircleCheck className="ico text-success" />
          {given}
        </p>
      )}
    </div>
    <div className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4">
      {reading}
      <Field
        field={{ id: name, name, errors: error ? [error] : undefined }}
        label={label}
        hint={hint}
        type="file"
        accept={accept}
        className="w-full"
      />
    </div>
  </section>
);
