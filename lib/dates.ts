/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. `Date` alone reads 31 February as 3 March. */
export const isRealDate = (iso: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(iso) && !Number.isNaN(Date.parse(iso)) && new Date(iso).toISOString().startsWith(iso);
