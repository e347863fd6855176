import { foldEmail } from "#lib/text.ts";
import { t } from "#lib/messages/staff.ts";
import type { DocumentFormOptions } from "./options.server.ts";

type Shown = { number?: string; email: string; type?: string | undefined; isNumberRefused?: boolean };

/** What the system fields offer to choose from, and hints that stay true while something else is typed. */
export const systemChoices = (
  options: DocumentFormOptions,
  { number, email, type = "", isNumberRefused = false }: Shown,
) => ({
  access_types: options.access_types,
  groups: options.groups,
  isOpen: options.isOpen,
  owners: options.owners.map(({ name, email, branch }) => ({
    value: email,
    label: [name, branch].filter(Boolean).join(", "),
  })),
  hints: {
    number: number === undefined ? undefined : numberHint(options, { number, email, type, isNumberRefused }),
    email: ownerHint(options.owners, email),
  },
});

export type SystemChoices = ReturnType<typeof systemChoices>;

type Numbered = { email?: string; document_type?: string };

/** The company's ranges for documents of a draft's type, if only those of some branches. */
export const rangesFor = ({ number_ranges }: DocumentFormOptions, { document_type = "" }: Numbered) =>
  number_ranges.filter((range) => ["", document_type].includes(range.document_type));

/** The number that a document would get from its range now; undefined without a range. */
export function nextInRange(options: DocumentFormOptions, draft: Numbered) {
  const branch = ownerWith(options.owners, draft.email ?? "")?.branch ?? "";
  return rangesFor(options, draft).find((range) => ["", branch].includes(range.branch))?.next_number;
}

function numberHint(options: DocumentFormOptions, { number: shown = "", email, type = "", isNumberRefused }: Shown) {
  const { number: free } = options;
  const next = nextInRange(options, { email, document_type: type });
  if (next) return t("documents.systemChoices.numberOfRange", { number: next });
  if (!free || rangesFor(options, { document_type: type }).length > 0)
    return t("documents.systemChoices.providerChoosesNumber");
  if (isNumberRefused) return t("documents.systemChoices.numberIsFree", { number: free });
  return shown === free ? t("documents.systemChoices.numberIsFreeOrAnother", { number: free }) : undefined;
}

function ownerHint(owners: DocumentFormOptions["owners"], typed: string) {
  const owner = ownerWith(owners, typed);
  if (owner?.branch === undefined) return t("documents.systemChoices.owner");
  const { name, branch } = owner;
  return branch
    ? t("documents.systemChoices.ownerAtBranch", { name, branch })
    : t("documents.systemChoices.ownerAtNoBranch", { name });
}

/** The owner with an email; their branch is empty for none, and undefined if the provider does not say. */
export const ownerWith = (owners: DocumentFormOptions["owners"], typed: string) =>
  owners.find(({ email }) => foldEmail(email) === foldEmail(typed.trim()));
