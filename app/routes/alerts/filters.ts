/** The specification's filters of alerts, and the columns that sort their list. */
export const filterNames = ["name", "date", "alert"];
export const sorts = ["name", "branch", "alert", "date"];
