/** A scan whose place can be removed; `at` is formatted. */
export type RemovableScan = { id: number; number: string; at: string };

/** The dialog's name in addresses, and what its form sends as `intent`. */
export const removePlaceDialog = "remove-place";
