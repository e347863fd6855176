/** The dialogs about one copy, by the names in their addresses. */
export const copyDialogs = { withdraw: "withdraw-copy", restore: "restore-copy" } as const;
