/** A job title; managers and accountants are set apart (`docs/specification.md` section 2). */
export function RoleTag({ role }: { role: string }) {
  if (!role) return null;
  const specialTitle = ["manager", "accountant"].find((title) => title === role.toLowerCase());
  const look = specialTitle ? `tag-${specialTitle}` : /\S{18}/.test(role) ? "!wrap-anywhere" : "";
  return <span className={`tag ${look}`}>{role}</span>;
}
