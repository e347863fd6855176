import type { Signature } from "#provider/contract/signatures.ts";
import { showDate } from "../../components/format.ts";
import type { CheckedSignature } from "./signature-words.ts";

const labels: Record<Signature["differs"][number]["field"], string> = {
  number: "Number",
  type: "Type",
  date: "Date",
  "last day": "Valid until",
  pages: "Pages",
  copy: "Copy",
};

/** Which lines of a paper's signed code and of its record differ. */
export function Differences({ signature }: { signature: CheckedSignature | undefined }) {
  const differs = signature?.differs ?? [];
  if (differs.length === 0) return null;
  const shown = (value: string) => showDate(value) || "No end is set";
  return (
    <table>
      <caption>
        {signature!.verdict === "changed since" ? "Changed since it was printed" : "What contradicts each other"}
      </caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Paper’s code</th>
          <th scope="col">Register</th>
        </tr>
      </thead>
      <tbody>
        {differs.map(({ field, paper, record }) => (
          <tr key={field}>
            <th scope="row">{labels[field]}</th>
            <td>{shown(paper)}</td>
            <td>{shown(record)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
