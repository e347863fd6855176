/** What signing out asks (`docs/specification.md` section 2). */
export const question = "Are you sure you want to exit the application?";
