import { data, redirect } from "react-router";
import { FileCheckChanges } from "../../components/file-check-answer.tsx";
import { fileCheckWords } from "../../components/file-check-words.ts";
import { showDate } from "../../components/format.ts";
import { VerdictSeal } from "../../components/verdict-icons.tsx";
import { verdictIcons } from "../../components/verdict-words.ts";
import { answerFileCheck, offersFileCheck } from "../../server/forms/file-check.ts";
import { asFailure, notOffered } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/file";
import { check } from "./check.server.ts";
import { FileCheckForm } from "./file-check.tsx";
import { headersOfCode } from "./headers.ts";
import { NoRecord } from "./no-record.tsx";
import { Fact } from "./record.tsx";
import { Sheet } from "./sheet.tsx";
import { lookOf, type Outcome, Verdict } from "./verdict.tsx";

/** Whether a file is the document of a code. It works without scripts. */

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!offersFileCheck()) throw notOffered("comparing files");
  const { outcome, status, retryAfter } = await check(context, { code: params.code, digits: "", number: "" });
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data({ outcome }, { status, headers });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  try {
    return await answerFileCheck(request, (form) => getProvider(context).checkFile({ params, body: {}, form }));
  } catch (thrown) {
    if (!asFailure(thrown, 404)) throw thrown;
    throw redirect(`/v/${encodeURIComponent(params.code)}`);
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders, actionHeaders }) =>
  headersOfCode(actionHeaders ?? loaderHeaders);

export default function VerifyFile({ loaderData: { outcome }, actionData, params }: Route.ComponentProps) {
  const { check, refused } = actionData ?? {};
  if (outcome.kind !== "found" && !check) {
    return (
      <Sheet title={lookOf(outcome).title}>
        <Verdict outcome={outcome} />
        <NoRecord outcome={outcome} address={`/v/${encodeURIComponent(params.code)}`} />
      </Sheet>
    );
  }
  const { code } = outcome.kind === "found" ? outcome.document : outcome;
  const words = check && fileCheckWords(check);
  const title = words?.title ?? "Does your file match?";
  return (
    <Sheet title={refused ? `Error: ${title}` : title} footer={check && "Your file was compared and not stored."}>
      {check && words && (
        <>
          <div className={`verdict verdict-${words.tone}`}>
            <VerdictSeal icon={verdictIcons[words.tone]} />
            <h1>{title}</h1>
            <p>{words.sentence}</p>
          </div>
          {words.changes.length > 0 && (
            <div className="part">
              <FileCheckChanges check={check} />
            </div>
          )}
        </>
      )}
      {check && outcome.kind === "found" && <Compared outcome={outcome} />}
      <div className={check ? "part foot" : "part"}>
        {check ? <h2>Compare another file</h2> : <h1>{title}</h1>}
        <FileCheckForm code={code} error={refused} />
      </div>
      {!check && outcome.kind === "found" && <Compared outcome={outcome} />}
      <div className="part foot">
        <a className="btn" href={`/v/${code}`}>
          Back to the check of the document
        </a>
      </div>
    </Sheet>
  );
}

/** The document that a file is compared with, and whether it is in force, which its file can't tell. */
function Compared({ outcome: { document } }: { outcome: Extract<Outcome, { kind: "found" }> }) {
  const { company, number, document_type, date, ended } = document;
  const became = ended?.reason === "expired" ? "expired" : "withdrawn";
  return (
    <div className="part foot">
      <dl>
        <Fact name="Document" value={`${document_type} ${number}`} />
        <Fact name="Issued by" value={company} />
        <Fact name="Date" value={showDate(date)} isDate />
        <Fact name="In force today" value={ended ? `No, ${became} on ${showDate(ended.since)}` : "Yes"} />
      </dl>
    </div>
  );
}
