import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { Empty } from "../../components/list/empty.tsx";

/** What to try when a search found nothing. */
export function NothingFound({ q, isMistyped }: { q: string; isMistyped: boolean }) {
  return (
    <section className="panel" aria-label={say("common.results")}>
      {isMistyped ? (
        <Empty title={say("search.nothingFound.thisCodeIsMistyped")} message={mistypedHint} />
      ) : (
        <Empty message={say("search.nothingFound.noMatch", { q })}>
          <Link className="btn btn-quiet" to="/help">
            {say("search.nothingFound.readTheGuide")}
          </Link>
        </Empty>
      )}
    </section>
  );
}

const mistypedHint = say("search.nothingFound.mistypedCodeHint");
