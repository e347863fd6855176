import { isRouteErrorResponse, Outlet, useLocation, useRouteError, useRouteLoaderData } from "react-router";
import { VerdictSeal } from "../../components/scan/verdict-icons.tsx";
import { problemSaid } from "../../components/frame/problem-words.ts";
import { verdictIcons } from "../../components/scan/verdict-words.ts";
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

function Problem() {
  const words = useWords();
  const to = useAddress();
  const { pathname } = useLocation();
  const error = useRouteError();
  const failed = isRouteErrorResponse(error) ? { ...(error.data as object), status: error.status } : undefined;
  const { title, text, mayWorkLater } = problemSaid(failed, words);
  return (
    <Sheet title={title}>
      <div className="verdict verdict-idle">
        <VerdictSeal icon={verdictIcons.idle} />
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <div className="part">
        <a className="btn" href={to(mayWorkLater ? pathname : "/v")}>
          {words.t(mayWorkLater ? "frame.tryAgain" : "advice.typeCode")}
        </a>
      </div>
    </Sheet>
  );
}
