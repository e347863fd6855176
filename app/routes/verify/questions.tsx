import type { Words } from "#lib/messages/words.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { VerdictMark } from "../../components/scan/verdict-icons.tsx";
import { type Tone, verdictIcons } from "../../components/scan/verdict-words.ts";
import { Said, useWords } from "./said.tsx";
import { type CheckedSignature, headlineOf, signedAnswers } from "./signature-words.ts";

type Answer = { question: string; tone: Tone; answer: string };
type QuestionsProps = {
  document: Verification;
  typed: string;
  isAhead?: boolean;
  signature?: CheckedSignature | undefined;
};

/** The three questions of a verdict, each with its own answer: the band above has the colour of the worst. */
export function Questions(props: QuestionsProps) {
  const words = useWords();
  return (
    <ol className="questions" aria-label={words.t("question.list")}>
      {answersOf(props, words).map(({ question, tone, answer }) => (
        <li key={question} className={`verdict-${tone}`}>
          <VerdictMark icon={verdictIcons[tone]} />
          <p>
            {question}{" "}
            <b>
              <Said text={answer} />
            </b>
          </p>
        </li>
      ))}
    </ol>
  );
}

function answersOf({ document, typed, isAhead, signature }: QuestionsProps, words: Words): Answer[] {
  const { t, date } = words;
  const { company, ended, paper, number, copy, copies, copy_withdrawn } = document;
  const papers: Record<Verification["paper"], Omit<Answer, "question">> = {
    "": { tone: "idle", answer: t("answer.paper.compare") },
    near: { tone: "idle", answer: t("answer.paper.compare") },
    same: { tone: "ok", answer: t("answer.paper.same") },
    other: { tone: "bad", answer: t("answer.paper.other", { number, typed }) },
  };
  const signed = signature ? signedAnswers(signature, company, words) : {};
  // The number on the paper outweighs a signature that is not wrong.
  const isByNumber = paper !== "" && signed.paper?.tone !== "bad";
  const ofPaper = { ...papers[paper], ...(isByNumber ? {} : signed.paper) };
  const withdrawnCopy = copy_withdrawn && {
    tone: "ended" as const,
    answer: t("answer.paper.copyWithdrawn", {
      copy,
      copies,
      why: copy_withdrawn.reason,
      date: date(copy_withdrawn.since),
    }),
  };
  return [
    {
      question: t("question.issuer"),
      tone: "ok",
      answer: t("answer.issuer.yes", { company }),
      ...signed.issuer,
    },
    {
      question: t("question.inForce"),
      tone: ended || isAhead ? "ended" : "ok",
      answer: ended
        ? t(ended.reason === "expired" ? "answer.inForce.expired" : "answer.inForce.withdrawn", {
            date: date(ended.since),
          })
        : isAhead
          ? t("answer.inForce.from", { date: date(document.date) })
          : t(headlineOf(signature, document, words) ? "answer.inForce.byRegister" : "answer.inForce.yes"),
    },
    { question: t("question.paper"), ...ofPaper, ...(ofPaper.tone !== "bad" && withdrawnCopy) },
  ];
}
