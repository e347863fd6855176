/** The specification's filters of alerts with ours, and the columns that sort their list. */
export const filterNames = ["name", "number", "text", "date", "alert", "state", "owner"];
export const sorts = ["name", "branch", "alert", "date"];
