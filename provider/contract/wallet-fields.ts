/** The fields of a document that a company can let holders leave out of what they show. */
export const walletFields = [
  "document_type",
  "document_subtype",
  "branch",
  "pages",
  "code",
  "name",
  "custom_fields",
] as const;
export type WalletField = (typeof walletFields)[number];

/** What tells the address of a company's list of credentials from that of its list of codes. */
export const walletListEnd = "-wallet";

/** What no verification page shows: it is in a credential only if the company chooses it. */
export const privateWalletFields: readonly WalletField[] = ["name", "custom_fields"];
