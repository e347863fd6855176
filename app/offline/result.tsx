import { t } from "#lib/messages/staff.ts";
import type { Answer } from "#lib/seal/offline-answer.ts";
import { VerdictMark, VerdictSeal } from "../components/scan/verdict-icons.tsx";
import { verdictIcons } from "../components/scan/verdict-words.ts";

/** The answer to a check, in the form of the verification page's verdict. */
export function Result({ text, answer }: { text: string; answer: Answer }) {
  const { tone, title, sentence, questions, facts } = answer;
  const isOurs = URL.canParse(text) && new URL(text).origin === location.origin;
  return (
    <section aria-label={t("check.result.answer")}>
      <div className={`verdict verdict-${tone}`}>
        <VerdictSeal icon={verdictIcons[tone]} />
        <h2>{title}</h2>
        <p>{sentence}</p>
      </div>
      {questions.length > 0 && (
        <ol className="questions">
          {questions.map(({ question, tone, answer }) => (
            <li key={question} className={`verdict-${tone}`}>
              <VerdictMark icon={verdictIcons[tone]} />
              <p>
                {question} <b>{answer}</b>
              </p>
            </li>
          ))}
        </ol>
      )}
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOurs && (
        <p>
          <a className="btn" href={text}>
            {t("check.result.openAddress")}
          </a>
        </p>
      )}
    </section>
  );
}
