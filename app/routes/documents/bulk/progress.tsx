import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";

type ProgressProps = { label: string; done: number; of: number; children?: ReactNode };

/** How far it is, as a bar and in words. */
export const BulkProgress = ({ label, done, of, children }: ProgressProps) => (
  <section className="panel mb-5 p-5 max-md:p-4" aria-labelledby="bulk-progress">
    <h2 id="bulk-progress">{label}</h2>
    <p className="mt-1 mb-3" role="status">
      {t("documents.bulk.progress.doneOfRows", { done, total: of })}
    </p>
    <progress className="meter w-full" max={Math.max(1, of)} value={done} aria-label={label} />
    {children}
  </section>
);
