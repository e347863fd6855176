import { data } from "react-router";
import { z } from "zod";
import { complain, locateScan, type Verification } from "#provider/contract/verify.ts";
import { replyUnchecked, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page";
import { reportContext } from "./answer.server.ts";
import { headersOfCode } from "./headers.ts";
import { Differences } from "./differences.tsx";
import { FileCheck } from "./file-check.tsx";
import { answerFor, keepPage } from "./kept-page.server.ts";
import { locateScript } from "./locate.ts";
import { NoRecord } from "./no-record.tsx";
import { Questions } from "./questions.tsx";
import { OpenPages, RecordFacts } from "./record.tsx";
import { readReports, ReportLocation, ReportProblem } from "./report-forms.tsx";
import { Sheet } from "./sheet.tsx";
import { headlineOf } from "./signature-words.ts";
import { lookOf, Verdict } from "./verdict.tsx";

/** The public page behind a document's QR code. It works without scripts. */

export const middleware: Route.MiddlewareFunction[] = [keepPage];

export async function loader(asked: Route.LoaderArgs) {
  const { status, retryAfter, ...answer } = await answerFor(asked);
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data(answer, { status, headers });
}

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
  const headers = headersOfCode(loaderHeaders);
  headers.set("permissions-policy", "geolocation=(self)");
  return headers;
};

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { outcome, checked, address, nonce, hasFileCheck } = loaderData;
  const { title } = lookOf(outcome);
  const reports = readReports(loaderData.scan, actionData);
  if (outcome.kind !== "found") {
    const unsent = { ...reports, company: "the issuer" };
    return (
      <Sheet title={title} footer={`Checked ${checked}.`}>
        <Verdict outcome={outcome} />
        <NoRecord outcome={outcome} address={address} />
        {/* What was typed stays, to be sent once the register answers. */}
        {reports.refused && (
          <div className="part foot">
            {reports.refused === "location" ? <ReportLocation {...unsent} /> : <ReportProblem {...unsent} />}
          </div>
        )}
      </Sheet>
    );
  }
  const { document, signature } = outcome;
  const headline = headlineOf(signature, document.company);
  const isInForce = document.verdict === "in force" && !headline;
  const shared = { ...reports, company: document.company };
  return (
    <Sheet title={reports.refused ? `Error: ${title}` : title} footer={<Recorded checked={checked} {...shared} />}>
      <Verdict outcome={outcome} />
      <div className="part">
        <Questions {...outcome} />
        <Differences signature={signature} />
        {headline && <p className="muted of">What the register holds of code {document.code}:</p>}
        <RecordFacts document={document} />
        <OpenPages document={document} />
      </div>
      <div className="part foot">
        <h2>{isInForce ? "Does the paper say something else?" : "What you can do"}</h2>
        <p className="muted">{headline?.advice ?? advice[document.verdict]}</p>
        {document.replaced_by && (
          <p>
            <a className="btn" href={`/v/${document.code}/newer`}>
              Is {document.replaced_by.number} in force?
            </a>
          </p>
        )}
        <ReportProblem {...shared} />
      </div>
      {hasFileCheck && <FileCheck code={document.code} />}
      {reports.scan && (
        <div className="part foot">
          <ReportLocation {...shared} />
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: locateScript }} suppressHydrationWarning />
        </div>
      )}
    </Sheet>
  );
}

const ended =
  "This is about the record; the paper may be a copy of it or say something else. Ask the person who gave it to you for a document that is in force.";

const advice: Record<Verification["verdict"], string> = {
  "in force":
    "This confirms the record, not the paper. Compare the number, type and date with the paper in your hand. If they differ, tell the issuer.",
  withdrawn: ended,
  expired: ended,
  "copy withdrawn":
    "Ask the person who gave it to you where it comes from, and tell the issuer. The document’s other copies have codes of their own.",
  "other paper":
    "Compare the number that you typed with the paper. If it is right, the code was copied from another document: report it, and ask the issuer for the paper’s own code.",
};

function Recorded({ checked, scan, company }: { checked: string; scan: string; company: string }) {
  const seen = `${company} can see that this code was scanned, and when; where, only if you share it.`;
  return `Checked ${checked}.${scan ? ` ${seen}` : ""}`;
}
