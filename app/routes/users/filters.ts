/** The list's filters with their labels (`docs/specification.md` section 2). */
export const filterLabels = {
  name: "Name",
  email: "Email",
  index: "Index",
  role: "Role",
  country: "Country",
  city: "City",
  branch: "Branch",
};

/** The list's parameters: the filters, and `active=0` for removed users. */
export const filterNames = [...Object.keys(filterLabels), "active"];

/** The columns that the list can be sorted by. */
export const sorts = ["name", "role", "country", "city", "index", "branch"];
