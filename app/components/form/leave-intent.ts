/** Whether a page is left on purpose, and by sending its form; and the link that discards what was typed. */
type LeaveIntent = { isMeant: boolean; isSent: boolean; discard: Element | null };

export const noIntent: LeaveIntent = { isMeant: false, isSent: false, discard: null };
export const sentIntent: LeaveIntent = { isMeant: true, isSent: true, discard: null };

/** Of the page that is shown, for what asks before it is left. */
export const leaveIntent = { current: noIntent };
