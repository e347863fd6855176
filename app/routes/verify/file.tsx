import { data, redirect } from "react-router";
import { asTheirs } from "#lib/messages/isolates.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { FileCheckChanges } from "../../components/scan/file-check-answer.tsx";
import { type FileCheckWords, fileCheckWords } from "../../components/scan/file-check-words.ts";
import { VerdictSeal } from "../../components/scan/verdict-icons.tsx";
import { verdictIcons } from "../../components/scan/verdict-words.ts";
import { answerFileCheck, offersFileCheck } from "../../server/forms/file-check.ts";
import { asFailure, notOffered } from "../../server/provider/failure.ts";
import { languageParameter, spokenIn } from "../../server/request/language.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/file";
import { check } from "./check.server.ts";
import { FileCheckForm } from "./file-check.tsx";
import { headersOfCode } from "./headers.ts";
import { NoRecord } from "./no-record.tsx";
import { Fact } from "./record.tsx";
import { sayRefusal } from "./refusals.server.ts";
import { InLanguage, useAddress, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";
import { issuerLanguageOf, lookOf, type Outcome, Verdict } from "./verdict.tsx";

/** Whether a file is the document of a code. It works without scripts. */

export async function loader({ request, context, params }: Route.LoaderArgs) {
  if (!offersFileCheck()) throw notOffered("comparing files");
  const { outcome, status, retryAfter } = await check(context, { code: params.code, digits: "", number: "" });
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data(
    { outcome, ...spokenIn(context, request), issuerLanguage: issuerLanguageOf(outcome) },
    { status, headers },
  );
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { language, isChosen } = spokenIn(context, request);
  const words = wordsOf(language);
  try {
    const answer = await answerFileCheck(
      request,
      (form) => getProvider(context).checkFile({ params, body: {}, form }),
      (check) => fileCheckWords(check, words),
    );
    const { refused } = answer.data;
    if (!refused) return answer;
    return data({ refused: sayRefusal(refused, words, answer.init, "refusal.file.limited") }, answer.init!);
  } catch (thrown) {
    if (!asFailure(thrown, 404)) throw thrown;
    throw redirect(`/v/${encodeURIComponent(params.code)}${isChosen ? `?${languageParameter}=${language}` : ""}`);
  }
}

export const headers: Route.HeadersFunction = headersOfCode;

export default function VerifyFile({ loaderData, actionData, params }: Route.ComponentProps) {
  const { outcome, ...spoken } = loaderData;
  const { words: answer, refused } = (actionData ?? {}) as { words?: FileCheckWords; refused?: string };
  return (
    <InLanguage spoken={spoken}>
      {outcome.kind === "found" || answer ? (
        <FileChecked outcome={outcome} answer={answer} refused={refused} />
      ) : (
        <NotFound outcome={outcome} code={params.code} />
      )}
    </InLanguage>
  );
}

type NotFoundProps = { outcome: Exclude<Outcome, { kind: "found" }>; code: string };

function NotFound({ outcome, code }: NotFoundProps) {
  return (
    <Sheet title={lookOf(outcome, useWords()).title}>
      <Verdict outcome={outcome} />
      <NoRecord outcome={outcome} address={`/v/${encodeURIComponent(code)}`} />
    </Sheet>
  );
}

type FileCheckedProps = { outcome: Outcome; answer: FileCheckWords | undefined; refused: string | undefined };

function FileChecked({ outcome, answer, refused }: FileCheckedProps) {
  const { t } = useWords();
  const to = useAddress();
  const { code } = outcome.kind === "found" ? outcome.document : outcome;
  const title = answer?.title ?? t("file.ask");
  return (
    <Sheet title={title} hasErrors={Boolean(refused)} footer={answer && t("file.notStored")}>
      {answer && (
        <>
          <div className={`verdict verdict-${answer.tone}`}>
            <VerdictSeal icon={verdictIcons[answer.icon]} />
            <h1>{title}</h1>
            <p>{answer.sentence}</p>
          </div>
          {answer.changes.length > 0 && (
            <div className="part">
              <FileCheckChanges words={answer} />
            </div>
          )}
        </>
      )}
      {answer && outcome.kind === "found" && <Compared outcome={outcome} />}
      <div className={answer ? "part foot" : "part"}>
        {answer ? <h2>{t("file.another")}</h2> : <h1>{title}</h1>}
        <FileCheckForm code={code} error={refused} />
      </div>
      {!answer && outcome.kind === "found" && <Compared outcome={outcome} />}
      <div className="part foot">
        <a className="btn" href={to(`/v/${code}`)}>
          {t("frame.back")}
        </a>
      </div>
    </Sheet>
  );
}

/** The document that a file is compared with, and whether it is in force, which its file can't tell. */
function Compared({ outcome: { document } }: { outcome: Extract<Outcome, { kind: "found" }> }) {
  const { t, date } = useWords();
  const { company, number, document_type, ended } = document;
  const became = ended?.reason === "expired" ? "fact.inForce.expired" : "fact.inForce.withdrawn";
  return (
    <div className="part foot">
      <dl>
        <Fact name={t("fact.document")} value={asTheirs(`${document_type} ${number}`)} />
        <Fact name={t("fact.issuer")} value={asTheirs(company)} />
        <Fact name={t("fact.date")} value={date(document.date)} />
        <Fact name={t("fact.inForce")} value={ended ? t(became, { date: date(ended.since) }) : t("fact.inForce.yes")} />
      </dl>
    </div>
  );
}
