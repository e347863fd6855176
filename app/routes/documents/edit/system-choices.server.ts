import { foldEmail } from "#lib/text.ts";
import { t } from "#lib/messages/staff.ts";
import type { DocumentFormOptions } from "./options.server.ts";

type Shown = { number?: string; email: string; isNumberRefused?: boolean };

/** What the system fields offer to choose from, and hints that stay true while something else is typed. */
export const systemChoices = (
  { access_types, groups, isOpen, owners, number: free }: DocumentFormOptions,
  { number, email, isNumberRefused = false }: Shown,
) => ({
  access_types,
  groups,
  isOpen,
  owners: owners.map(({ name, email, branch }) => ({
    value: email,
    label: [name, branch].filter(Boolean).join(", "),
  })),
  hints: {
    number: number === undefined ? undefined : numberHint(free, number, isNumberRefused),
    email: ownerHint(owners, email),
  },
});

export type SystemChoices = ReturnType<typeof systemChoices>;

function numberHint(free: string, shown: string, isRefused: boolean) {
  if (!free) return t("documents.systemChoices.providerChoosesNumber");
  if (isRefused) return t("documents.systemChoices.numberIsFree", { number: free });
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
