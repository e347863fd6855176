import { data } from "react-router";
import { z } from "zod";
import type { Key } from "#lib/messages/catalogues.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { complain, locateScan, type Verification } from "#provider/contract/verify.ts";
import { replyUnchecked, handleForm, readForm } from "../../server/forms/forms.ts";
import { spokenIn } from "../../server/request/language.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page";
import { reportContext } from "./answer.server.ts";
import { cachedAnswerOf, cachePage } from "./cached-page.server.ts";
import { headersOfCode } from "./headers.ts";
import { Differences } from "./differences.tsx";
import { FileCheck } from "./file-check.tsx";
import { NoRecord } from "./no-record.tsx";
import { pageScript } from "./page-script.ts";
import { Questions } from "./questions.tsx";
import { LogEntry, OpenPages, RecordFacts } from "./record.tsx";
import { sayRefusals } from "./refusals.server.ts";
import { readReports, type Report, ReportLocation, ReportProblem, type Reports } from "./report-forms.tsx";
import { InLanguage, Said, useAddress, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";
import { headlineOf } from "./signature-words.ts";
import { lookOf, type Outcome, Verdict } from "./verdict.tsx";

/** The public page behind a document's QR code. It works without scripts. */

export const middleware: Route.MiddlewareFunction[] = [cachePage];

export async function loader(asked: Route.LoaderArgs) {
  const { status, retryAfter, ...answer } = await cachedAnswerOf(asked);
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data(answer, { status, headers });
}

const kept = z.string().optional();
/** The scan, earlier reports of it, and the typed text, whose length is checked when it is sent. */
const keptForm = z.object({ scan: complain.body.shape.scan, reported: kept, text: kept, contact: kept, place: kept });
const locationForm = locateScan.body.safeExtend({ reported: kept, text: kept, contact: kept });
const complaintForm = complain.body.omit({ language: true }).safeExtend({ reported: kept, place: kept });

/** Reports where the scan was made, or a problem: once each; or shows the page in another language. */
export async function action({ request, context, params }: Route.ActionArgs) {
  context.set(reportContext, true);
  const { language } = spokenIn(context, request);
  const form = await readForm(request, locationForm, complaintForm);
  const intent = form.get("intent");
  if (intent === "language") return replyUnchecked(form, keptForm);
  const provider = getProvider(context);
  const reply = await (intent === "location"
    ? handleForm(form, {
        schema: locationForm,
        async save({ reported, text, contact, ...body }) {
          await provider.locateScan({ params, body });
          return replyUnchecked(form, keptForm);
        },
      })
    : handleForm(form, {
        schema: complaintForm,
        async save({ reported, place, ...body }) {
          await provider.complain({ params, body: { ...body, language } });
          return replyUnchecked(form, keptForm);
        },
      }));
  return reply instanceof Response ? reply : sayRefusals(reply, wordsOf(language));
}

export const headers: Route.HeadersFunction = (given) => {
  const headers = headersOfCode(given);
  headers.set("permissions-policy", "geolocation=(self)");
  return headers;
};

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { outcome } = loaderData;
  const reports = readReports(loaderData.scan, actionData);
  return (
    <InLanguage spoken={loaderData}>
      {outcome.kind === "found" ? (
        <Found {...loaderData} outcome={outcome} reports={reports} />
      ) : (
        <NotFound {...loaderData} outcome={outcome} reports={reports} />
      )}
    </InLanguage>
  );
}

type Shown = Omit<Route.ComponentProps["loaderData"], "outcome"> & { reports: Reports };

/** What a change of the language keeps; only the query identifies the paper. */
const keptOf = ({ address, reports: { scan, done, typed } }: Shown) => ({
  query: address.split("?")[1] ?? "",
  scan: { scan, reported: done.join(" "), typed },
});

function NotFound({ outcome, ...shown }: Shown & { outcome: Exclude<Outcome, { kind: "found" }> }) {
  const words = useWords();
  const { reports, checked, address, nonce } = shown;
  const unnamed = { ...reports, company: "" };
  const shows = (report: Report) => reports.refused === report || reports.sent === report || reports.isTyped(report);
  return (
    <Sheet title={lookOf(outcome, words).title} footer={words.t("checked.when", checked)} kept={keptOf(shown)}>
      <Verdict outcome={outcome} />
      <NoRecord outcome={outcome} address={address} />
      {/* A report may arrive while no code is answered. What was typed and not sent stays. */}
      {(shows("complaint") || shows("location")) && (
        <div className="part foot">
          {shows("complaint") && <ReportProblem {...unnamed} />}
          {shows("location") && <ReportLocation {...unnamed} />}
          <PageScript nonce={nonce} />
        </div>
      )}
    </Sheet>
  );
}

function Found({ outcome, ...shown }: Shown & { outcome: Extract<Outcome, { kind: "found" }> }) {
  const words = useWords();
  const to = useAddress();
  const { t } = words;
  const { reports, checked, nonce, hasFileCheck } = shown;
  const { document, signature } = outcome;
  const { company } = document;
  const headline = headlineOf(signature, document, words);
  const isInForce = document.verdict === "in force" && !headline;
  const shared = { ...reports, company };
  const footer = words.join(t("checked.when", checked), reports.scan && t("checked.seen", { company }));
  return (
    <Sheet
      title={lookOf(outcome, words).title}
      hasErrors={Boolean(reports.refused)}
      footer={footer}
      kept={keptOf(shown)}
    >
      <Verdict outcome={outcome} />
      <div className="part">
        <Questions {...outcome} />
        <Differences signature={signature} />
        {headline && (
          <p className="muted of">
            <Said text={t("fact.register", { code: document.code })} />
          </p>
        )}
        <RecordFacts document={document} />
        <LogEntry document={document} />
        <OpenPages document={document} />
      </div>
      <div className="part foot">
        <h2>{t(isInForce ? "advice.inForce.title" : "advice.title")}</h2>
        <p className="muted">
          <Said text={headline?.advice ?? t(advice[document.verdict])} />
        </p>
        {document.replaced_by && (
          <p>
            <a className="btn" href={to(`/v/${document.code}/newer`)}>
              <span>
                <Said text={t("newer.ask", { number: document.replaced_by.number })} />
              </span>
            </a>
          </p>
        )}
        <ReportProblem {...shared} />
      </div>
      {hasFileCheck && <FileCheck code={document.code} />}
      {reports.scan && (
        <div className="part foot">
          <ReportLocation {...shared} />
        </div>
      )}
      <PageScript nonce={nonce} />
    </Sheet>
  );
}

const PageScript = ({ nonce }: { nonce: string }) => (
  <script nonce={nonce} dangerouslySetInnerHTML={{ __html: pageScript }} suppressHydrationWarning />
);

const advice = {
  "in force": "advice.inForce",
  withdrawn: "advice.ended",
  expired: "advice.ended",
  "copy withdrawn": "advice.copyWithdrawn",
  "other paper": "advice.otherPaper",
} as const satisfies Record<Verification["verdict"], Key>;
