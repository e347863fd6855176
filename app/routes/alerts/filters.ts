/** The specification's filters of alerts with two of ours, and the columns that sort their list. */
export const filterNames = ["name", "number", "date", "alert", "state"];
export const sorts = ["name", "branch", "alert", "date"];
