/** The dialog's name in addresses, and what its form sends as `intent`. */
export const removeCommentDialog = "remove-comment";
