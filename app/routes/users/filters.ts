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

/** The columns that the list can be sorted by. */
export const sorts = ["name", "role", "country", "city", "index", "branch"];
