/** The seven filters of the specification's section 2, with their labels. */
export const filterLabels = {
  name: "Name",
  email: "Email",
  index: "Index",
  role: "Role",
  country: "Country",
  city: "City",
  branch: "Branch",
};

/** What the address can say of the list: the filters, and with `active=0` that it is of those who were removed. */
export const filterNames = [...Object.keys(filterLabels), "active"];

/** The columns that the list can be sorted by. */
export const sorts = ["name", "role", "country", "city", "index", "branch"];
