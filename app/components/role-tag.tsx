/** A job title; managers and accountants have their own style (`docs/specification.md` section 2). */
export function RoleTag({ role }: { role: string }) {
  if (!role) return null;
  const known = ["manager", "accountant"].find((title) => title === role.toLowerCase());
  return <span className={known ? `tag tag-${known}` : "tag"}>{role}</span>;
}
