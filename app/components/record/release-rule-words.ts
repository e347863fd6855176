import { t } from "#lib/messages/staff.ts";

type Rule = Record<"document_type" | "branch" | "access_group" | "field" | "at_least", string>;

/** The documents of a rule: `Contract, Preston, Amount from 10000`. */
export function documentsOf({ document_type, branch, access_group, field, at_least }: Rule) {
  const amount = field && t("components.releaseRuleWords.amountFrom", { field, amount: at_least });
  const parts = [document_type, branch, access_group, amount].filter(Boolean);
  return parts.join(", ") || t("components.releaseRuleWords.allDocuments");
}
