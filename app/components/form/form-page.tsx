import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "../frame/back-link.tsx";
import { ErrorSummary, type SummaryError } from "./error-summary.tsx";
import { PageTitle } from "../frame/page-title.tsx";
import { RequiredLegend } from "./required-legend.tsx";

type FormPageProps = {
  title: string;
  /** The title if not set. */
  heading?: string;
  lead?: ReactNode;
  /** Above the heading, where each leads to its field. */
  errors: SummaryError[];
  /** The list, or the page that the form was opened from. */
  back?: { to: string; label: string };
  /** The page of the record, if `back` leads to its list. */
  record?: { to: string; name: string } | undefined;
  children: ReactNode;
};

/** The page around a form. */
export const FormPage = ({ title, heading = title, lead, errors, back, record, children }: FormPageProps) => (
  <>
    <PageTitle title={title} hasErrors={errors.length > 0} />
    <ErrorSummary errors={errors} />
    {(back || record) && (
      <div className="flex flex-wrap gap-x-5">
        {back && <BackLink to={back.to}>{back.label}</BackLink>}
        {record && <BackLink to={record.to}>{t("common.backToName", { name: record.name })}</BackLink>}
      </div>
    )}
    <div className={back ? "page-head mt-1" : "page-head"}>
      <div>
        <h1>{heading}</h1>
        {lead}
        <RequiredLegend />
      </div>
    </div>
    {children}
  </>
);
