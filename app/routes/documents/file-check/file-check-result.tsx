import { FileCheckChanges } from "../../../components/scan/file-check-answer.tsx";
import type { FileCheckWords } from "../../../components/scan/file-check-words.ts";
import { VerdictMark } from "../../../components/scan/verdict-icons.tsx";
import { verdictIcons } from "../../../components/scan/verdict-words.ts";

/** What a comparison says. */
export const FileCheckResult = ({ words }: { words: FileCheckWords }) => (
  <section className="panel mb-5" aria-labelledby="answer">
    <div className={`file-answer file-answer-${words.tone}`} role="status">
      <VerdictMark icon={verdictIcons[words.icon]} />
      <div>
        <h2 id="answer">{words.title}</h2>
        <p>{words.sentence}</p>
      </div>
    </div>
    {words.changes.length > 0 && (
      <div className="px-5 pb-5 max-md:px-4">
        <FileCheckChanges words={words} />
      </div>
    )}
  </section>
);
