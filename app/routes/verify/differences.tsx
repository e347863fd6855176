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
  const { t, date } = useWords();
  const differs = signature?.differs ?? [];
  if (differs.length === 0) return null;
  const dateOrNoEnd = (value: string) => (value ? date(value) : t("fact.noEnd"));
  return (
    <table>
      <caption>{t(signature!.verdict === "changed since" ? "differs.changed" : "differs.contradicts")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("differs.line")}</th>
          <th scope="col">{t("differs.paper")}</th>
          <th scope="col">{t("differs.register")}</th>
        </tr>
      </thead>
      <tbody>
        {differs.map(({ field, paper, record }) => (
          <tr key={field}>
            <th scope="row">{t(labels[field])}</th>
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
