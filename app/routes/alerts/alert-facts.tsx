import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { caseInWords, ownerInWords } from "../../components/scan/case-words.ts";
import { Facts } from "../../components/record/facts.tsx";
import { showDegrees } from "../../components/text/format.ts";
import { isCompleted } from "./alert-actions.ts";

/** “Fake scan of X” reads well; other types need a colon. */
export function titleOf({ id, alert, document }: Alert) {
  if (!document) return alertInWords(alert) || t("alerts.alertFacts.alertNumber", { id });
  if (alert === "Fake scan") return t("alerts.alertFacts.fakeScanOf", { document });
  return t("alerts.alertFacts.typeOfDocument", { type: alertInWords(alert) || t("common.alert"), document });
}

/** How many complaints are shown in full above the details; the scans have all. */
const fullComplaints = 3;

/** Why an alert was raised. A complaint is what the visitor wrote, and others may have complained on the same day. */
export function Reason({ alert, scans }: { alert: Alert; scans: { complaint: string }[] }) {
  const complaints = scans.flatMap(({ complaint }) => (complaint ? [`“${complaint}”`] : []));
  const others = complaints.filter((text) => !alert.reason.endsWith(text));
  return (
    <div className="lead grid max-w-[44rem] gap-2 wrap-anywhere whitespace-pre-line">
      {[alert.reason, ...new Set(others)]
        .filter(Boolean)
        .slice(0, fullComplaints)
        .map((text) => (
          <p key={text}>{text}</p>
        ))}
      {complaints.length > fullComplaints && (
        <p>{t("alerts.alertFacts.complaintsBelow", { count: complaints.length })}</p>
      )}
    </div>
  );
}

type Fact = Parameters<typeof Facts>[0]["facts"][number];

type Located = Omit<Alert, "other_places"> & {
  town: string;
  other_places: (Alert["other_places"][number] & { town: string })[];
};
type AlertFactsProps = { alert: Located; places: string[]; mayOpen: boolean; isNarrow: boolean };

/** What an alert says; `places` are those that visitors typed. */
export function AlertFacts({ alert, places, mayOpen, isNarrow }: AlertFactsProps) {
  const { accuracy, count, note, reopened_because } = alert;
  const facts: Fact[] = [
    [t("common.alertNumber"), asCode(alert.number)],
    [t("common.alertType"), alertInWords(alert.alert)],
    [t("common.date"), alert.date],
    [t("common.documentName"), mayOpen ? linked(alert) : alert.document],
    [t("common.branch"), alert.branch],
    ...(alert.town ? [[t("common.nearestTown"), alert.town] satisfies Fact] : []),
    [t("alerts.alertFacts.gpsLatitude"), showDegrees(alert.latitude)],
    [t("alerts.alertFacts.gpsLongitude"), showDegrees(alert.longitude)],
  ];
  if (alert.other_places.length > 0) facts.push([t("alerts.alertFacts.otherPlaces"), inLines(alert.other_places)]);
  if (alert.copy !== null) facts.splice(4, 0, [t("common.copy"), alert.copy]);
  if (places.length > 0)
    facts.push([t("alerts.alertFacts.placeAsTyped"), places.map((text) => t("common.quoted", { text })).join(", ")]);
  if (accuracy !== null)
    facts.push([t("alerts.alertFacts.gpsAccuracy"), accuracyInWords(accuracy, alert.place_is_rounded)]);
  if (alert.case_state) {
    facts.push([t("common.owner"), ownerInWords(alert)], [t("common.state"), caseInWords(alert.case_state)]);
  }
  if (count > 1) facts.push([t("alerts.alertFacts.occurrences"), t("alerts.alertFacts.timesThatDay", { count })]);
  if (note)
    facts.push([isCompleted(alert) ? t("common.note") : t("alerts.alertFacts.noteWhenCompleted"), asLines(note)]);
  if (reopened_because) facts.push([t("alerts.alertFacts.reopenedBecause"), asLines(reopened_because)]);
  return <Facts facts={facts} isNarrow={isNarrow} />;
}

const accuracyInWords = (metres: number, isRounded: boolean) =>
  isRounded
    ? t("alerts.alertFacts.roundedAccuracy", { metres: Math.round(metres) })
    : t("alerts.alertFacts.accuracy", { metres: Math.round(metres) });

const asCode = (number: string) =>
  number && (
    <span className="code" translate="no">
      {number}
    </span>
  );
const asLines = (text: string) => <span className="whitespace-pre-line">{text}</span>;
const inLines = (places: Located["other_places"]) =>
  places.map(({ latitude, longitude, town, at }) => (
    <span key={`${latitude} ${longitude}`} className="num block">
      {t("alerts.alertFacts.placeAndTime", {
        place: [town, `${showDegrees(latitude)}, ${showDegrees(longitude)}`].filter(Boolean).join(", "),
        at,
      })}
    </span>
  ));
const linked = ({ document_id, document }: Alert) => <Link to={`/documents/${document_id}`}>{document}</Link>;
