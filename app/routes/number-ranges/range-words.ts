import { t } from "#lib/messages/staff.ts";
import type { NumberRange } from "#provider/contract/number-ranges.ts";

/** The documents that a range numbers: `Contract, Preston`. */
export const documentsOf = ({ document_type, branch }: Pick<NumberRange, "document_type" | "branch">) =>
  [document_type, branch].filter(Boolean).join(", ") || t("number-ranges.words.allDocuments");
