import type { Signature } from "#provider/contract/signatures.ts";
import { Said, useWords } from "./said.tsx";
import type { CheckedSignature } from "./signature-words.ts";

const labels = {
  number: "fact.number",
  type: "fact.type",
  date: "fact.date",
  "last day": "fact.validUntil",
  pages: "fact.pages",
  copy: "fact.copy",
} as const satisfies Record<Signature["differs"][number]["field"], string>;

/** Which lines of a paper's signed code and of its record differ. */
export function Differences({ signature }: { signature: CheckedSignature | undefined }) {
  const { say, date } = useWords();
  const differs = signature?.differs ?? [];
  if (differs.length === 0) return null;
  const dateOrNoEnd = (value: string) => (value ? date(value) : say("fact.noEnd"));
  return (
    <table>
      <caption>{say(signature!.verdict === "changed since" ? "differs.changed" : "differs.contradicts")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("differs.line")}</th>
          <th scope="col">{say("differs.paper")}</th>
          <th scope="col">{say("differs.register")}</th>
        </tr>
      </thead>
      <tbody>
        {differs.map(({ field, paper, record }) => (
          <tr key={field}>
            <th scope="row">{say(labels[field])}</th>
            <td>
              <Said text={dateOrNoEnd(paper)} />
            </td>
            <td>
              <Said text={dateOrNoEnd(record)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
