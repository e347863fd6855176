import { DatesWhole } from "../../components/dates-whole.tsx";
import type { Verification } from "#provider/contract/verify.ts";
import { showDate } from "../../components/format.ts";
import { type Tone, verdictIcons } from "../../components/verdict-words.ts";

type Answer = { question: string; tone: Tone; answer: string };

/** The three questions of a verdict, each with its own answer: the band above has the colour of the worst. */
export const Questions = (props: { document: Verification; typed: string }) => (
  <ol className="questions" aria-label="What was checked">
    {answersOf(props).map(({ question, tone, answer }) => (
      <li key={question} className={`verdict-${tone}`}>
        <svg viewBox="14 14 52 52" fill="none" stroke="#fff" strokeWidth="6" aria-hidden="true">
          <path d={verdictIcons[tone]} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
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

function answersOf({ document, typed }: { document: Verification; typed: string }): Answer[] {
  const { company, ended, paper, number } = document;
  const became = ended?.reason === "expired" ? "expired" : "withdrawn";
  const papers: Record<Verification["paper"], Omit<Answer, "question">> = {
    "": { tone: "idle", answer: "Compare the number, type and date below with the paper." },
    same: { tone: "ok", answer: "Its number is the same. Compare the type and date as well." },
    other: { tone: "bad", answer: `No: the code is that of ${number}, not of ${typed}.` },
  };
  return [
    { question: "Issued by this company?", tone: "ok", answer: `Yes, by ${company}.` },
    {
      question: "In force today?",
      tone: ended ? "ended" : "ok",
      answer: ended ? `No, ${became} on ${showDate(ended.since)}.` : "Yes.",
    },
    { question: "Is it this paper?", ...papers[paper] },
  ];
}
