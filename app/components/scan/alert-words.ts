import { t } from "#lib/messages/staff.ts";
import { entryOf } from "../text/format.ts";

/** The types of alerts as pages show them. */
export const alertWords = {
  "Fake scan": t("components.alertWords.fakeScan"),
  Complaint: t("components.alertWords.complaint"),
  "Withdrawn document scanned": t("components.alertWords.withdrawnDocumentScanned"),
  "Withdrawn copy scanned": t("components.alertWords.withdrawnCopyScanned"),
  "Expired document scanned": t("components.alertWords.expiredDocumentScanned"),
  "Burst of scans": t("components.alertWords.burstOfScans"),
} as const;

/** A type in words; another provider's own one as it is. */
export const alertInWords = (type: string) => entryOf<string>(alertWords, type) ?? type;
