import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ErrorSummary, type SummaryError } from "./error-summary.tsx";
import { PageTitle } from "./page-title.tsx";

type FormPageProps = {
  title: string;
  /** The title if not set. */
  heading?: string;
  lead?: ReactNode;
  /** Above the heading, where each leads to its field. */
  errors: SummaryError[];
  /** The page that the form was opened from. */
  back?: { to: string; label: string };
  children: ReactNode;
};

/** The page around a form. */
export const FormPage = ({ title, heading = title, lead, errors, back, children }: FormPageProps) => (
  <>
    <PageTitle title={title} hasErrors={errors.length > 0} />
    <ErrorSummary errors={errors} />
    {back && (
      <Link className="back" to={back.to}>
        <ArrowLeft className="ico" />
        {back.label}
      </Link>
    )}
    <div className={back ? "page-head mt-1" : "page-head"}>
      <div>
        <h1>{heading}</h1>
        {lead}
      </div>
    </div>
    {children}
  </>
);
