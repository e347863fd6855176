import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "./back-link.tsx";
import { PageTitle } from "./page-title.tsx";

type SettingPageProps = { title: string; lead: ReactNode; hasErrors: boolean; act?: ReactNode; children: ReactNode };

/** A page of Settings: one sheet, and at most one act. */
export const SettingPage = ({ title, lead, hasErrors, act, children }: SettingPageProps) => (
  <>
    <PageTitle title={title} hasErrors={hasErrors} />
    <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
    <div className="page-head mt-1">
      <div>
        <h1>{title}</h1>
        <p className="lead max-w-[44rem]">{lead}</p>
      </div>
      {act && <div className="page-acts">{act}</div>}
    </div>
    <section className="panel overflow-hidden" aria-label={title}>
      {children}
    </section>
  </>
);
