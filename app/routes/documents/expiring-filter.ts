import { expiringDays } from "#provider/contract/document-options.ts";

const inAddresses = `Expiring in ${expiringDays} days`;

/** The Status filter's value for documents that expire soon, the same in every language. */
export const expiringFilter = inAddresses;
