/** The specification's filters of alerts with ours. */
export const filterNames = ["name", "number", "text", "date", "alert", "state", "owner"] as const;
