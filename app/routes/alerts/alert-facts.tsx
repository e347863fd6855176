import { Link } from "react-router";
import type { Alert } from "#provider/contract/alerts.ts";
import { Facts } from "../../components/facts.tsx";
import { showCount, showDegrees } from "../../components/format.ts";

/** “Fake scan of X” reads well; other types need a colon. */
export function titleOf({ alert, document }: Alert) {
  if (!document) return alert || "Alert";
  return alert === "Fake scan" ? `${alert} of ${document}` : `${alert || "Alert"}: ${document}`;
}

type Fact = Parameters<typeof Facts>[0]["facts"][number];

type AlertFactsProps = { alert: Alert; mayOpen: boolean; isNarrow: boolean };

/** An alert's fields. */
export function AlertFacts({ alert, mayOpen, isNarrow }: AlertFactsProps) {
  const { accuracy, count } = alert;
  const facts: Fact[] = [
    ["Alert number", asCode(alert.number)],
    ["Alert type", alert.alert],
    ["Date", unbroken(alert.date)],
    ["Document name", mayOpen ? linked(alert) : alert.document],
    ["Branch", alert.branch],
    ["GPS latitude", showDegrees(alert.latitude)],
    ["GPS longitude", showDegrees(alert.longitude)],
  ];
  if (accuracy !== null) facts.push(["GPS accuracy", showCount(Math.round(accuracy), "metre")]);
  if (count > 1) facts.push(["Occurrences", `${count.toLocaleString("en-GB")} times that day`]);
  if (alert.note) facts.push(["Note", asLines(alert.note)]);
  return <Facts facts={facts} isNarrow={isNarrow} />;
}

const asCode = (number: string) => number && <span className="code">{number}</span>;
const unbroken = (text: string) => text && <span className="whitespace-nowrap">{text}</span>;
const asLines = (text: string) => <span className="whitespace-pre-line">{text}</span>;
const linked = ({ document_id, document }: Alert) => <Link to={`/documents/${document_id}`}>{document}</Link>;
