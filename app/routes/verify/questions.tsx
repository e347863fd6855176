import { DatesWhole } from "../../components/dates-whole.tsx";
import type { Verification } from "#provider/contract/verify.ts";
import { showDate } from "../../components/format.ts";
import { VerdictMark } from "../../components/verdict-icons.tsx";
import { type Tone, verdictIcons, withdrawnOn } from "../../components/verdict-words.ts";
import { type CheckedSignature, headlineOf, signedAnswers } from "./signature-words.ts";

type Answer = { question: string; tone: Tone; answer: string };
type QuestionsProps = { document: Verification; typed: string; signature?: CheckedSignature | undefined };

/** The three questions of a verdict, each with its own answer: the band above has the colour of the worst. */
export const Questions = (props: QuestionsProps) => (
  <ol className="questions" aria-label="What was checked">
    {answersOf(props).map(({ question, tone, answer }) => (
      <li key={question} className={`verdict-${tone}`}>
        <VerdictMark icon={verdictIcons[tone]} />
        <p>
          {question}{" "}
          <b>
            <DatesWhole text={answer} />
          </b>
        </p>
      </li>
    ))}
  </ol>
);

function answersOf({ document, typed, signature }: QuestionsProps): Answer[] {
  const { company, ended, paper, number, copy, copies, copy_withdrawn } = document;
  const became = ended?.reason === "expired" ? "expired" : "withdrawn";
  const papers: Record<Verification["paper"], Omit<Answer, "question">> = {
    "": { tone: "idle", answer: "Compare the number, type and date below with the paper." },
    same: { tone: "ok", answer: "Its number is the same. Compare the type and date as well." },
    other: { tone: "bad", answer: `No: the code is that of ${number}, not of ${typed}.` },
  };
  const signed = signature ? signedAnswers(signature, company) : {};
  const inForce = headlineOf(signature, company) ? "By the register, yes." : "Yes.";
  // The number on the paper outweighs a signature that is not wrong.
  const isByNumber = paper !== "" && signed.paper?.tone !== "bad";
  const ofPaper = { ...papers[paper], ...(isByNumber ? {} : signed.paper) };
  const withdrawnCopy: Omit<Answer, "question"> = {
    tone: "ended",
    answer: `Copy ${copy} of ${copies} was withdrawn${copy_withdrawn ? withdrawnOn(copy_withdrawn) : ""}.`,
  };
  return [
    { question: "Issued by this company?", tone: "ok", answer: `Yes, by ${company}.`, ...signed.issuer },
    {
      question: "In force today?",
      tone: ended ? "ended" : "ok",
      answer: ended ? `No, ${became} on ${showDate(ended.since)}.` : inForce,
    },
    { question: "Is it this paper?", ...ofPaper, ...(copy_withdrawn && ofPaper.tone !== "bad" && withdrawnCopy) },
  ];
}
