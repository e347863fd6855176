/** The specification's filters of alerts with ours. */
export const filterNames = [
  "name",
  "number",
  "text",
  "date",
  "date_from",
  "date_to",
  "alert",
  "state",
  "owner",
] as const;
