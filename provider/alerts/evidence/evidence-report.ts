import { boundsOf } from "#lib/bounds.ts";
import { englishNameOf } from "#lib/messages/language-names.ts";
import { drawMap } from "#lib/page-files/map/map-projection.ts";
import type { Report, ReportSection } from "#lib/page-files/reports/report-pdf.ts";
import { completed } from "../../contract/alerts.ts";
import { dayMonthYear, instantIn } from "../../calendar/calendar.ts";
import type { Evidence } from "./evidence-facts.ts";

/** The evidence of an alert in words. */

type At = (instant: string) => string;
type Fact = [label: string, value: string];

export async function evidenceReport(evidence: Evidence, signedBy: string): Promise<Report> {
  const { origin, alert, scansAreCut, historyIsCut, scans, history } = evidence;
  const at: At = (instant) => instantIn(origin.timezone, instant);
  const root = `${origin.installation}/.well-known/sealdesk-root.pem`;
  const map = await mapSection(evidence);
  return {
    title: `Evidence of alert ${alert.number}`,
    lead:
      `Made by ${origin.by} (${origin.email}) of ${origin.company} on ${at(origin.at)}. It shows what this person’s access group may see. ` +
      `Times are in the time zone ${origin.timezone}, with their offset from UTC.`,
    sections: [
      { heading: "Alert", facts: alertFacts(evidence, at) },
      documentSection(evidence, at),
      ...(map ? [map] : []),
      {
        heading: "Scans behind the alert",
        ...(scans.length === 0
          ? { text: "None: a code that was never issued leaves no scan." }
          : {
              text: scansAreCut ? `The newest ${scans.length}; there are older ones.` : undefined,
              table: scanTable(evidence, at),
            }),
      },
      commentSection(evidence, at),
      {
        heading: "History of the alert",
        ...(history.length === 0
          ? { text: "No user has changed it." }
          : {
              text: historyIsCut ? `The newest ${history.length} entries; there are older ones.` : undefined,
              table: historyTable(evidence, at),
            }),
      },
    ],
    foot: [
      `Signed electronically by ${signedBy} over the whole file. Check it with: pdfsig FILE. Root certificate: ${root}`,
      `How to check it step by step, and what a signature says: “Verifying” in the documentation of Sealdesk.`,
    ],
    attachment: { name: `${alert.number}.json`, content: JSON.stringify(evidence, null, 2) },
  };
}

const filled = (facts: Fact[]) => facts.filter(([, value]) => value !== "");

function alertFacts({ alert }: Evidence, at: At): Fact[] {
  const severity = ["", "open, red", "open, yellow"][alert.status] ?? "";
  return filled([
    ["Number", alert.number],
    ["Type", alert.alert],
    ["Status", alert.status === completed ? "completed" : severity],
    ["Reason", alert.reason],
    ["First raised", at(alert.date)],
    ["Occurrences", `${alert.count} on that day`],
    ["Copy", alert.copy === null ? "" : String(alert.copy)],
    ["Place", placeOf({ ...alert, place: "" })],
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
    ...more.sealed.map(({ copy, sha256, bytes, made_at }): Fact => [
      `Sealed PDF, copy ${copy}`,
      `SHA-256 ${sha256}, ${bytes} bytes, made ${at(made_at)}`,
    ]),
  );
  if (more.sealed.length === 0) facts.push(["Sealed PDF", "not made yet"]);
  return { heading: "Document", facts: filled(facts) };
}

type Place = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  accuracy?: number | null | undefined;
  place?: string | undefined;
  place_is_rounded?: boolean | undefined;
  place_quality?: string | undefined;
};

function placeOf({ latitude, longitude, accuracy, place, place_is_rounded, place_quality }: Place) {
  if (typeof latitude !== "number" || typeof longitude !== "number") return place ? `typed: “${place}”` : "";
  const within = accuracy ? ` ± ${Math.round(accuracy)} m` : "";
  const notes = [place_is_rounded && "rounded", place_quality === "doubtful" && "doubtful"].filter(Boolean);
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}${within}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

function scanTable({ scans }: Evidence, at: At) {
  return {
    columns: [
      { label: "Scanned", share: 24 },
      { label: "Place", share: 26 },
      { label: "Verdict", share: 18 },
      { label: "Report and contact", share: 32 },
    ],
    rows: scans.map((scan) => {
      const verdict = [scan.verdict, scan.signature && `code: ${scan.signature}`, scan.staff && "by staff"];
      const { complaint, complaint_language: language, contact } = scan;
      const page = language && language !== "en" && `written on the page in ${englishNameOf(language)}`;
      const report = [complaint && `“${complaint}”`, page, contact];
      return [
        at(scan.at),
        placeOf(scan) || "not shared, or removed",
        verdict.filter(Boolean).join(", "),
        report.filter(Boolean).join("\n"),
      ];
    }),
  };
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

type Value = string | number | boolean | null;

function valueInWords(field: string, value: Value) {
  if (value === null) return "nothing";
  if (field === "status") return value === completed ? "completed" : "open";
  return typeof value === "string" ? `“${value}”` : String(value);
}

function historyTable({ history }: Evidence, at: At) {
  return {
    columns: [
      { label: "At", share: 24 },
      { label: "By", share: 20 },
      { label: "Action", share: 14 },
      { label: "Changes", share: 42 },
    ],
    rows: history.map((entry) => [
      at(entry.at),
      entry.actor,
      entry.action,
      entry.changes
        .map(({ field, before, after }) => {
          const words = [before, after].map((value) => valueInWords(field, value));
          return `${field.replaceAll("_", " ")}: ${words.join(" › ")}`;
        })
        .join("\n"),
    ]),
  };
}

/** The places of the scans, as far as they were shared. */
async function mapSection({ alert, scans }: Evidence): Promise<ReportSection | undefined> {
  const places = [alert, ...scans].flatMap(({ latitude, longitude, accuracy }) =>
    typeof latitude === "number" && typeof longitude === "number"
      ? [{ latitude, longitude, accuracy: accuracy as number | null, scans: 1, suspicions: 1 }]
      : [],
  );
  const bounds = boundsOf(places);
  if (!bounds) return undefined;
  return {
    heading: "Where it was scanned",
    text: "A diamond is a place, or several that lie close together; a circle round it says how exactly it is known. Coasts: Natural Earth.",
    map: await drawMap(places, bounds),
  };
}
