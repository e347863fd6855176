/** The list's filters with their labels (`docs/specification.md` section 2); it is sorted by the same columns. */
export const filterLabels = { name: "Name", country: "Country", city: "City" };
export const columns = Object.keys(filterLabels);
