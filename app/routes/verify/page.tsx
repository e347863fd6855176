import { createContext, data } from "react-router";
import { z } from "zod";
import { complain, locateScan } from "#provider/contract/verify.ts";
import { showInstant } from "../../components/format.ts";
import { replyUnchecked, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getNonce } from "../../server/request/security.ts";
import type { Route } from "./+types/page";
import { check, record } from "./check.server.ts";
import { locateScript } from "./locate.ts";
import { NoRecord } from "./no-record.tsx";
import { OpenPages, RecordFacts } from "./record.tsx";
import { readReports, ReportLocation, ReportProblem } from "./report-forms.tsx";
import { Sheet } from "./sheet.tsx";
import { Verdict, wordsFor } from "./verdict.tsx";

/** The public page behind a document's QR code. It works without scripts. */

/** Set while the page answers a report, which is no new scan. */
const reportContext = createContext(false);

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { outcome, status, retryAfter } = await check(context, params.code);
  const number = (url.searchParams.get("number") ?? "").trim().slice(0, 50);
  const scan = context.get(reportContext) ? "" : await record(context, request, outcome, number);
  const timezone = outcome.kind === "found" ? outcome.document.timezone : "Europe/London";
  const checked = showInstant(new Date().toISOString(), timezone).replace(" ", " at ");
  const isOther = outcome.kind === "found" && number !== "" && !isSame(number, outcome.document.number);
  const answer = { outcome, scan, checked, otherNumber: isOther ? number : "", nonce: getNonce(context) };
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data(answer, { status, headers });
}

/** Whether two document numbers are the same but for spaces, case and punctuation. */
const isSame = (one: string, other: string) => normalized(one) === normalized(other);
const normalized = (number: string) => number.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Names the scan, and what was reported of it before. */
const reported = { scan: complain.body.shape.scan, reported: z.string().optional() };
const reportedForm = z.object(reported);
const locationForm = locateScan.body.safeExtend(reported);
const complaintForm = complain.body.safeExtend(reported);

/** Reports where the scan was made, or a problem: once each. */
export async function action({ request, context, params }: Route.ActionArgs) {
  context.set(reportContext, true);
  const form = await readForm(request, locationForm, complaintForm);
  const provider = getProvider(context);
  if (form.get("intent") === "location") {
    return handleForm(form, {
      schema: locationForm,
      async save({ reported, ...body }) {
        await provider.locateScan({ params, body });
        return replyUnchecked(form, reportedForm);
      },
    });
  }
  return handleForm(form, {
    schema: complaintForm,
    async save({ reported, ...body }) {
      await provider.complain({ params, body });
      return replyUnchecked(form, reportedForm);
    },
  });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => {
  const headers = new Headers(loaderHeaders);
  headers.set("permissions-policy", "geolocation=(self)");
  headers.set("x-robots-tag", "noindex");
  return headers;
};

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { outcome, checked, otherNumber, nonce } = loaderData;
  const { title } = wordsFor(outcome);
  if (outcome.kind !== "found") {
    return (
      <Sheet title={title} footer={`Checked ${checked}.`}>
        <Verdict outcome={outcome} />
        <NoRecord outcome={outcome} />
      </Sheet>
    );
  }
  const { document } = outcome;
  const reports = readReports(loaderData.scan, actionData);
  const shared = { ...reports, company: document.company };
  return (
    <Sheet title={reports.refused ? `Error: ${title}` : title} footer={<Recorded checked={checked} {...shared} />}>
      <Verdict outcome={outcome} />
      <div className="part">
        {otherNumber && (
          <p className="error" role="alert">
            The number that you typed, {otherNumber}, is not this record’s. The code may have been copied to another
            paper: do not rely on it.
          </p>
        )}
        <RecordFacts document={document} />
        <OpenPages document={document} />
      </div>
      <div className="part foot">
        <h2>{document.ended ? "What you can do" : "Does the paper say something else?"}</h2>
        <p className="muted">
          {document.ended
            ? "This is about the record; the paper may be a copy of it or say something else. Ask the person who gave it to you for a document that is in force."
            : "This confirms the record, not the paper. Compare the number, type and date with the paper in your hand. If they differ, tell the issuer."}
        </p>
        <ReportProblem {...shared} />
      </div>
      {reports.scan && (
        <div className="part foot">
          <ReportLocation {...shared} />
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: locateScript }} suppressHydrationWarning />
        </div>
      )}
    </Sheet>
  );
}

function Recorded({ checked, scan, company }: { checked: string; scan: string; company: string }) {
  const seen = `${company} can see that this code was scanned, and when; where, only if you share it.`;
  return `Checked ${checked}.${scan ? ` ${seen}` : ""}`;
}
