import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";

/** A box where a date is typed, with the browser's calendar for those who point; scripts copy its choice (`calendar.ts`). */
export const WithCalendar = ({ children }: { children: ReactNode }) => (
  <div className="dated">
    {children}
    <span className="calendar" title={t("common.calendar")} aria-hidden="true">
      <input type="date" tabIndex={-1} />
    </span>
  </div>
);
