import { Link } from "react-router";
import { Empty } from "../../components/empty.tsx";

/** What to try when a search found nothing. */
export function NothingFound({ q, isMistyped }: { q: string; isMistyped: boolean }) {
  return (
    <section className="panel" aria-label="Results">
      {isMistyped ? (
        <Empty title="This code is mistyped" message={mistypedHint} />
      ) : (
        <Empty
          message={`Nothing that you may see contains “${q}”. Check the spelling, or try a single word or a number.`}
        >
          <Link className="btn btn-quiet" to="/help">
            Read the guide
          </Link>
        </Empty>
      )}
    </section>
  );
}

const mistypedHint =
  "One of its characters is wrong: compare it with the paper. Codes have no letters I, L, O and U; these are read as 1 and 0.";
