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
