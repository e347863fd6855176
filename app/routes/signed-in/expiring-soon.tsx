import { Link } from "react-router";
import { say } from "#messages/staff.ts";
import { expiringDays } from "#provider/contract/document-options.ts";
import { showCount } from "../../components/format.ts";

type ExpiringSoonProps = { documents: number; isCapped: boolean };

/** How many documents expire soon, with the ways to them. */
export function ExpiringSoon({ documents, isCapped }: ExpiringSoonProps) {
  const count = isCapped ? `${documents.toLocaleString("en-GB")}+ documents` : showCount(documents, "document");
  const expire = documents === 1 && !isCapped ? "expires" : "expire";
  return (
    <section className="panel mb-5" aria-labelledby="expiring-soon">
      <div className="panel-head">
        <h2 id="expiring-soon">{say("signed-in.expiringSoon.expiringInTheNext", { expiringDays })}</h2>
        <Link className="text-sm font-semibold whitespace-nowrap" to="/documents/calendar">
          {say("signed-in.expiringSoon.openTheCalendar")}
        </Link>
      </div>
      <p className="px-5 pb-5 max-md:px-4">
        {documents === 0 ? (
          <span className="text-muted">{say("signed-in.expiringSoon.noDocumentThatYou")}</span>
        ) : (
          <>
            <Link className="font-semibold" to={`/documents/list?${listed}`}>
              {count}
            </Link>{" "}
            {expire} by then, unless prolonged.
          </>
        )}
      </p>
    </section>
  );
}

const listed = new URLSearchParams({
  status: say("signed-in.expiringSoon.expiringInExpiringdaysDays", { expiringDays }),
});
