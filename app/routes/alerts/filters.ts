/** The specification's filters of alerts, and what their list can be sorted by. */
export const filterNames = ["name", "date", "alert"];
export const sorts = ["name", "branch", "alert", "date"];
