import { data } from "react-router";
import type { NewerDocument, Verification } from "#provider/contract/verify.ts";
import { DatesWhole } from "../../components/dates-whole.tsx";
import { showDate } from "../../components/format.ts";
import { VerdictSeal } from "../../components/verdict-icons.tsx";
import { verdictIcons, verdictLooks } from "../../components/verdict-words.ts";
import type { Route } from "./+types/newer";
import { check } from "./check.server.ts";
import { headersOfCode } from "./headers.ts";
import { NoRecord } from "./no-record.tsx";
import { Fact } from "./record.tsx";
import { Sheet } from "./sheet.tsx";
import { lookOf, Verdict } from "./verdict.tsx";

/** Whether the document that replaced the one of a code is in force. Its own code stays unknown. */

export async function loader({ context, params }: Route.LoaderArgs) {
  const { outcome, status, retryAfter } = await check(context, { code: params.code, digits: "", number: "" });
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data({ outcome }, { status, headers });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => headersOfCode(loaderHeaders);

export default function NewerVersion({ loaderData: { outcome }, params }: Route.ComponentProps) {
  const back = `/v/${encodeURIComponent(outcome.kind === "found" ? outcome.document.code : params.code)}`;
  if (outcome.kind !== "found" || !outcome.document.replaced_by) {
    return (
      <Sheet title={lookOf(outcome).title}>
        <Verdict outcome={outcome} />
        {outcome.kind === "found" ? <Back to={back} /> : <NoRecord outcome={outcome} address={back} />}
      </Sheet>
    );
  }
  return <Newer older={outcome.document} newer={outcome.document.replaced_by} back={back} />;
}

type NewerProps = { older: Verification; newer: NewerDocument; back: string };

function Newer({ older: { company, number }, newer, back }: NewerProps) {
  const { ended } = newer;
  const became = ended?.reason === "expired" ? "expired" : "was withdrawn";
  // Never green: who holds up this page has the older paper.
  const { tone } = verdictLooks.withdrawn;
  const title = ended
    ? `Neither this paper nor ${newer.number} is in force`
    : `${newer.number} is in force, this paper is not`;
  const end = ended ? `${newer.number} ${became} on ${showDate(ended.since)}.` : `${newer.number} replaces ${number}.`;
  return (
    <Sheet title={title}>
      <div className={`verdict verdict-${tone}`}>
        <VerdictSeal icon={verdictIcons[tone]} />
        <h1>{title}</h1>
        <p>
          <DatesWhole text={`${end} The paper with the code that you checked is ${number}, which is withdrawn.`} />
        </p>
      </div>
      <div className="part">
        <dl>
          <Fact name="Number" value={newer.number} />
          <Fact name="Type" value={[newer.document_type, newer.document_subtype].filter(Boolean).join(", ")} />
          <Fact name="Issued by" value={company} />
          <Fact name="Date" value={showDate(newer.date)} isDate />
          <Fact name="In force today" value={ended ? `No, it ${became} on ${showDate(ended.since)}` : "Yes"} isDate />
          {ended ? (
            <Fact name="Ended on" value={showDate(ended.since)} isDate />
          ) : (
            <Fact name="Valid until" value={newer.expire_date ? showDate(newer.expire_date) : "No end is set"} isDate />
          )}
          <Fact name="Replaces" value={number} />
        </dl>
        <p className="muted">
          A document can only be checked by the code on it: ask the person who gave you this one for {newer.number}.
        </p>
      </div>
      <Back to={back} />
    </Sheet>
  );
}

const Back = ({ to }: { to: string }) => (
  <div className="part foot">
    <a className="btn" href={to}>
      Back to the check of the document
    </a>
  </div>
);
