/** The specification's filters of alerts with three of ours, and the columns that sort their list. */
export const filterNames = ["name", "number", "text", "date", "alert", "state"];
export const sorts = ["name", "branch", "alert", "date"];
