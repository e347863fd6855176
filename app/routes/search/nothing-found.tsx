import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Empty } from "../../components/list/empty.tsx";

/** What to try when a search found nothing. */
export function NothingFound({ q, isMistyped }: { q: string; isMistyped: boolean }) {
  return (
    <section className="panel" aria-label={t("common.results")}>
      {isMistyped ? (
        <Empty title={t("search.nothingFound.thisCodeIsMistyped")} message={mistypedHint} />
      ) : (
        <Empty message={t("search.nothingFound.noMatch", { q })}>
          <Link className="btn btn-quiet" to="/help">
            {t("search.nothingFound.readTheGuide")}
          </Link>
        </Empty>
      )}
    </section>
  );
}

const mistypedHint = t("search.nothingFound.mistypedCodeHint");
