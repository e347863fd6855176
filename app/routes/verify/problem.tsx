import { isRouteErrorResponse, Outlet, useLocation, useRouteError, useRouteLoaderData } from "react-router";
import { VerdictSeal } from "../../components/verdict-icons.tsx";
import { verdictIcons } from "../../components/verdict-words.ts";
import type { loader } from "./language.tsx";
import { InLanguage, useAddress, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";

/** The pages below it, or what went wrong on them, in the visitor's language. */
export default function Pages() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const spoken = useRouteLoaderData<typeof loader>("routes/verify/language");
  return (
    <InLanguage spoken={spoken ?? { language: "en", isChosen: false }}>
      <Problem />
    </InLanguage>
  );
}

type Failed = { kind?: string; retryAfter?: number };

/** The beginning of the keys of what is said, and whether the same address may work later. */
function problemOf(error: unknown) {
  if (!isRouteErrorResponse(error)) return "broken";
  const { kind, retryAfter = 60 } = (error.data ?? {}) as Failed;
  if (error.status === 404) return "missing";
  if (error.status === 429) return { minutes: Math.ceil(retryAfter / 60) };
  if (kind === "unknown-call") return "notOffered";
  return error.status < 500 ? "refused" : "broken";
}

function Problem() {
  const { say } = useWords();
  const to = useAddress();
  const { pathname } = useLocation();
  const problem = problemOf(useRouteError());
  const { title, text, again } =
    problem === "missing"
      ? { title: say("problem.missing.title"), text: say("problem.missing.text"), again: "/v" }
      : problem === "notOffered"
        ? { title: say("problem.notOffered.title"), text: say("problem.notOffered.text"), again: "/v" }
        : problem === "refused"
          ? { title: say("problem.refused.title"), text: say("problem.refused.text"), again: pathname }
          : problem === "broken"
            ? { title: say("problem.broken.title"), text: say("problem.broken.text"), again: pathname }
            : { title: say("problem.limited.title"), text: say("refusal.limited", problem), again: pathname };
  return (
    <Sheet title={title}>
      <div className="verdict verdict-idle">
        <VerdictSeal icon={verdictIcons.idle} />
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <div className="part">
        <a className="btn" href={to(again)}>
          {say(again === "/v" ? "advice.typeCode" : "frame.tryAgain")}
        </a>
      </div>
    </Sheet>
  );
}
