import { say } from "#lib/messages/staff.ts";
import { entryOf } from "../text/format.ts";

/** The types of alerts as pages show them. */
export const alertWords = {
  "Fake scan": say("components.alertWords.fakeScan"),
  Complaint: say("components.alertWords.complaint"),
  "Withdrawn document scanned": say("components.alertWords.withdrawnDocumentScanned"),
  "Withdrawn copy scanned": say("components.alertWords.withdrawnCopyScanned"),
  "Expired document scanned": say("components.alertWords.expiredDocumentScanned"),
  "Burst of scans": say("components.alertWords.burstOfScans"),
} as const;

/** A type in words; another provider's own one as it is. */
export const alertInWords = (type: string) => entryOf<string>(alertWords, type) ?? type;
