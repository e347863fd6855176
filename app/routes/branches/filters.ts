/** The list's three filters (`docs/specification.md` section 2) with their labels; it can be sorted by the same columns. */
export const filterLabels = { name: "Name", country: "Country", city: "City" };
export const columns = Object.keys(filterLabels);
