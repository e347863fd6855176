import { nearestTowns } from "#lib/page-files/map/towns.ts";
import type { Report, ReportSection } from "#lib/page-files/reports/report-pdf.ts";
import type { z } from "zod";
import { dayMonthYear } from "../../calendar/calendar.ts";
import type { Document } from "../../contract/documents.ts";
import {
  type At,
  atIn,
  type Fact,
  filled,
  framedReport,
  historyTable,
  mapSection,
  scanTable,
  sealedFacts,
} from "../../seal/report-parts.ts";
import type { Receipt } from "./receipt-facts.ts";

/** A document's receipt in words: what it is, how it is sealed, where it was scanned, and what became of it. */
export async function receiptReport(receipt: Receipt, signedBy: string): Promise<Report> {
  const { origin, document, copies, sealed, scans, history } = receipt;
  const at = atIn(origin);
  const townOf = await nearestTowns();
  const map = await mapSection(scans ?? []);
  return framedReport({ title: `Receipt of ${document.number}`, name: "receipt", signedBy }, receipt, [
    { heading: "Document", facts: documentFacts(receipt, at) },
    ...(document.custom_fields.length === 0
      ? []
      : [{ heading: "Custom fields", facts: document.custom_fields.map(({ name, value }): Fact => [name, value]) }]),
    { heading: "Page files, as they were added", facts: fileFacts(receipt) },
    { heading: "Seal", facts: [["Address of the code", document.verify_url], ...sealedFacts(sealed, at)] },
    ...(copies.length > 1 ? [{ heading: "Copies", facts: copyFacts(receipt) }] : []),
    ...(map ? [map] : []),
    scanSection(receipt, at, townOf),
    {
      heading: "History",
      text: receipt.historyIsCut ? `The newest ${history.length} entries; there are older ones.` : undefined,
      table: historyTable(history, at),
    },
  ]);
}

function documentFacts({ document, wallet }: Receipt, at: At): Fact[] {
  const { replaces, replaced_by }: Pick<z.input<typeof Document>, "replaces" | "replaced_by"> = document;
  const state = document.status === "archived" ? `${document.validity}, archived` : document.validity;
  return filled([
    ["Name", document.name],
    ["Number", document.number],
    ["Type", [document.document_type, document.document_subtype].filter(Boolean).join(", ")],
    ["Date", dayMonthYear(document.date)],
    ["Expires", document.expire_date ? dayMonthYear(document.expire_date) : "never"],
    ["State when made", state],
    ["Owner", `${document.user} (${document.email})`],
    ["Branch", document.branch],
    ["Access group", document.users_access_group],
    ["What scans show", document.access_type],
    ["Issued", at(document.created_at)],
    ["Drafted by", document.drafted_by ?? ""],
    ["Released by", document.released_by ?? ""],
    ["Withdrawn because", [document.withdrawal_reason, document.withdrawal_note].filter(Boolean).join(": ")],
    ["Replaced by", replaced_by?.number ?? ""],
    ["Replaces", replaces?.number ?? ""],
    ["For a wallet", wallet],
    ["Notes", document.notes.join("\n")],
  ]);
}

const fileFacts = ({ document }: Receipt) =>
  document.pages_files.map(({ name, pages, bytes, sha256 }): Fact => [
    name ?? "",
    `${pages} ${pages === 1 ? "page" : "pages"}, ${bytes} bytes, SHA-256 ${sha256}`,
  ]);

const copyFacts = ({ copies }: Receipt) =>
  copies.map(({ n, verify_url, withdrawn, note }): Fact => {
    const end = withdrawn && `withdrawn ${dayMonthYear(withdrawn.since ?? "")}: ${withdrawn.reason}`;
    return [`Copy ${n}`, [verify_url, end, note].filter(Boolean).join("\n")];
  });

type TownOf = Awaited<ReturnType<typeof nearestTowns>>;

function scanSection({ origin, scans, scansAreCut }: Receipt, at: At, townOf: TownOf): ReportSection {
  const heading = "Scans";
  if (!scans) return { heading, text: `Left out: the access group of ${origin.by} does not show them.` };
  if (scans.length === 0) return { heading, text: "None." };
  const text = scansAreCut ? `The newest ${scans.length}; there are older ones.` : undefined;
  return { heading, text, table: scanTable(scans, at, townOf) };
}
