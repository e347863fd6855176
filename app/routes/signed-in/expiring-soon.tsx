import type { ReactNode } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";

type ExpiringSoonProps = { documents: number; isCapped: boolean };

/** How many documents expire soon, with the ways to them. */
export function ExpiringSoon({ documents, isCapped }: ExpiringSoonProps) {
  const link = (words: ReactNode) => (
    <Link className="font-semibold" to="/documents/list?status=expiring">
      {words}
    </Link>
  );
  return (
    <section className="panel mb-5" aria-labelledby="expiring-soon">
      <div className="panel-head">
        <h2 id="expiring-soon">{t("signed-in.expiringSoon.expiringInTheNextDays", { days: expiringDays })}</h2>
        <Link className="text-sm font-semibold whitespace-nowrap" to="/documents/calendar">
          {t("signed-in.expiringSoon.openTheCalendar")}
        </Link>
      </div>
      <p className="px-5 pb-5 max-md:px-4">
        {documents === 0 ? (
          <span className="text-muted">{t("signed-in.expiringSoon.none")}</span>
        ) : isCapped ? (
          tRich("signed-in.expiringSoon.thatManyOrMoreExpire", { documents, link })
        ) : (
          tRich("signed-in.expiringSoon.soManyExpire", { documents, link })
        )}
      </p>
    </section>
  );
}
