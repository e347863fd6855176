import { nearestTowns } from "#lib/page-files/map/towns.ts";
import type { Report, ReportSection } from "#lib/page-files/reports/report-pdf.ts";
import { completed } from "../../contract/alerts.ts";
import { dayMonthYear } from "../../calendar/calendar.ts";
import {
  type At,
  atIn,
  type Fact,
  filled,
  framedReport,
  historyTable,
  mapSection,
  placeOf,
  scanTable,
  sealedFacts,
} from "../../seal/report-parts.ts";
import type { Evidence } from "./evidence-facts.ts";

/** The evidence of an alert in words. */

export async function evidenceReport(evidence: Evidence, signedBy: string): Promise<Report> {
  const { origin, alert, scansAreCut, historyIsCut, scans, history } = evidence;
  const at = atIn(origin);
  const townOf = await nearestTowns();
  const map = await mapSection([alert, ...scans]);
  return framedReport({ title: `Evidence of alert ${alert.number}`, name: alert.number, signedBy }, evidence, [
    { heading: "Alert", facts: alertFacts(evidence, at, placeOf(townOf)({ ...alert, place: "" })) },
    documentSection(evidence, at),
    ...(map ? [map] : []),
    {
      heading: "Scans behind the alert",
      ...(scans.length === 0
        ? { text: "None: a code that was never issued leaves no scan." }
        : {
            text: scansAreCut ? `The newest ${scans.length}; there are older ones.` : undefined,
            table: scanTable(scans, at, townOf),
          }),
    },
    commentSection(evidence, at),
    {
      heading: "History of the alert",
      ...(history.length === 0
        ? { text: "No user has changed it." }
        : {
            text: historyIsCut ? `The newest ${history.length} entries; there are older ones.` : undefined,
            table: historyTable(history, at),
          }),
    },
  ]);
}

function alertFacts({ alert }: Evidence, at: At, place: string): Fact[] {
  const severity = ["", "open, red", "open, yellow"][alert.status] ?? "";
  return filled([
    ["Number", alert.number],
    ["Type", alert.alert],
    ["Status", alert.status === completed ? "completed" : severity],
    ["Reason", alert.reason],
    ["First raised", at(alert.date)],
    ["Occurrences", `${alert.count} on that day`],
    ["Copy", alert.copy === null ? "" : String(alert.copy)],
    ["Place", place],
    [alert.status === completed ? "Note" : "Note when completed", alert.note],
    ["Reopened because", alert.reopened_because],
  ]);
}

function documentSection({ document, origin }: Evidence, at: At): ReportSection {
  const { name, number, branch, more } = document;
  const facts: Fact[] = [
    ["Name", name],
    ["Number", number],
    ["Branch", branch],
  ];
  if (!more) {
    const text = `Owner, state and sealed PDFs are left out: the access group of ${origin.by} does not show this document.`;
    return { heading: "Document", text, facts: filled(facts) };
  }
  facts.push(
    ["Owner", `${more.owner} (${more.email})`],
    ["Type", [more.document_type, more.document_subtype].filter(Boolean).join(", ")],
    ["Date", dayMonthYear(more.date)],
    ["Expires", more.expire_date && dayMonthYear(more.expire_date)],
    ["State when made", more.archived ? `${more.state}, archived` : more.state],
    ["Issued", at(more.issued_at)],
    ...sealedFacts(more.sealed, at),
  );
  return { heading: "Document", facts: filled(facts) };
}

function commentSection({ comments, olderComments }: Evidence, at: At): ReportSection {
  const heading = "Comments on the alert";
  if (comments.length === 0) return { heading, text: "No user has written one." };
  const older = olderComments === 1 ? "1 older one is left out" : `${olderComments} older ones are left out`;
  return {
    heading,
    text: olderComments > 0 ? `The newest ${comments.length}; ${older}.` : undefined,
    table: {
      columns: [
        { label: "At", share: 24 },
        { label: "By", share: 20 },
        { label: "Comment", share: 56 },
      ],
      rows: comments.map((comment) => [
        at(comment.at),
        comment.author,
        comment.removed ? "(removed by its author)" : comment.text,
      ]),
    },
  };
}
