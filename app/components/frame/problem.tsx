import { lazy } from "react";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Brand } from "./brand.tsx";
import type { OtherUsersForm } from "../form/other-user.tsx";
import { ifThere } from "./missing-scripts.ts";
import { noReplyOf } from "./no-reply.ts";
import { PageTitle } from "./page-title.tsx";

/** The page at unknown addresses (`docs/specification.md` section 2). */
export function NotFound({ ways }: { ways?: Way[] | undefined }) {
  return (
    <main className="relative grid min-h-dvh place-items-center overflow-hidden px-5 py-10" id="main">
      <PageTitle title={t("components.problem.pageNotFound")} />
      <div className="pointer-events-none absolute inset-0 grid place-items-center text-primary opacity-15">
        <div className="guilloche h-[44rem] w-[44rem] shrink-0" />
      </div>
      <div className="panel relative w-full max-w-[30rem] p-8 max-md:p-6">
        <div className="mb-6">
          <Brand />
        </div>
        <NotFoundWords ways={ways} />
      </div>
    </main>
  );
}

/** A link to a page that its reader can open. */
type Way = { to: string; label: string };

const staffWays: Way[] = [
  { to: "/dashboard", label: t("components.problem.goToTheDashboard") },
  { to: "/documents/list", label: t("common.documents") },
];

function NotFoundWords({ message, ways = staffWays }: { message?: string; ways?: Way[] | undefined }) {
  return (
    <>
      <h1>{t("components.problem.pageNotFound")}</h1>
      <p className="mt-2 text-muted">{message || t("components.problem.pageNotFoundHint")}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        {ways.map(({ to, label }, n) => (
          <Link key={to} className={`btn ${n ? "btn-quiet" : "btn-primary"}`} to={to}>
            {label}
          </Link>
        ))}
      </p>
    </>
  );
}

/** `isBroken` if the page has to be loaded anew. What was typed on it comes back. */
type Problem = { title: string; message: string; canTryAgain: boolean; isBroken?: true; isMissing?: true };

type Failed = { kind?: string; message?: string; errors?: Record<string, string[]>; retryAfter?: number };

/** An error in words for the user; details of unexpected errors are not shown. */
function describeProblem(error: unknown): Problem {
  const noReply = noReplyOf(error);
  if (noReply) {
    return {
      title: t("components.problem.noConnection"),
      message:
        noReply === "unanswered"
          ? t("components.problem.noConnectionHint")
          : t("components.problem.anotherAnsweredHint"),
      canTryAgain: true,
      // A network's sign-in page can only be shown as a page.
      ...(noReply === "foreign" && { isBroken: true }),
    };
  }
  if (!isRouteErrorResponse(error)) {
    return {
      title: t("components.problem.somethingWentWrong"),
      message: t("components.problem.somethingWentWrongHint"),
      canTryAgain: true,
      isBroken: true,
    };
  }
  const { kind, errors = {}, retryAfter, ...failed } = (error.data ?? {}) as Failed;
  // The fields that a refusal is about are not on this page.
  const message = Object.values(errors).flat().join(" ") || (failed.message ?? "");
  if (error.status === 404)
    return { title: t("components.problem.pageNotFound"), message, canTryAgain: false, isMissing: true };
  if (error.status === 403) return { title: t("components.problem.noAccess"), message, canTryAgain: false };
  if (error.status === 429) {
    return {
      title: t("components.problem.tooManyAttempts"),
      message: t("components.problem.tryAgainIn", { seconds: retryAfter ?? 60 }),
      canTryAgain: true,
    };
  }
  if (kind === "unknown-call") return { title: t("components.problem.notOffered"), message, canTryAgain: false };
  // Rejected by `app/server/process/load-shedding.ts`, before the provider's messages apply.
  if (error.status === 503 && !kind) {
    return {
      title: t("components.problem.tooBusy"),
      message: t("components.problem.tooBusyHint"),
      canTryAgain: true,
    };
  }
  if (kind === "out-of-order")
    return { title: t("components.problem.notAvailableJustNow"), message, canTryAgain: true };
  if (kind === "unreachable")
    return { title: t("components.problem.providerNotAvailable"), message, canTryAgain: true };
  return {
    title: t("components.problem.thisDidNotWork"),
    message: message || t("components.problem.thisDidNotWorkHint"),
    canTryAgain: false,
  };
}

/** An error without the navigation, which failed as well. */
export function LoneProblem({ ways }: { ways?: Way[] | undefined }) {
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-10" id="main">
      <PageProblem ways={ways} />
    </main>
  );
}

/** Fetched when it is needed, which is rarely. Without it the refusal's message has to do. */
const OtherUser = lazy(async () => ({
  default:
    (await ifThere(() => import("../form/other-user.tsx")))?.OtherUser ??
    (({ message }: OtherUsersForm) => <p role="alert">{message}</p>),
}));

/** A page's error, inside the navigation. */
export function PageProblem({ ways = staffWays }: { ways?: Way[] | undefined }) {
  const error = useRouteError();
  const problem = describeProblem(error);
  const { pathname, search } = useLocation();
  if (isRouteErrorResponse(error) && (error.data as Failed | null)?.kind === "other-user") {
    return <OtherUser {...(error.data as OtherUsersForm)} />;
  }
  if (problem.isMissing) {
    return (
      <div className="panel max-w-[30rem] p-8 max-md:p-6">
        <PageTitle title={problem.title} />
        <NotFoundWords message={problem.message} ways={ways} />
      </div>
    );
  }
  return (
    <div className="panel max-w-[36rem] p-8 max-md:p-6">
      <PageTitle title={problem.title} />
      <h1>{problem.title}</h1>
      <p className="mt-2 text-muted">{problem.message}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        {problem.canTryAgain && (
          <Link className="btn btn-primary" to={pathname + search} reloadDocument={problem.isBroken} data-keeps-entries>
            {t("common.tryAgain")}
          </Link>
        )}
        <Link className="btn btn-quiet" to={ways[0]!.to}>
          {ways[0]!.label}
        </Link>
      </p>
    </div>
  );
}
