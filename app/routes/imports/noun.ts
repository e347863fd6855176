/** What a page imports, by its address. */
export const nounAt = (pathname: string) =>
  pathname.startsWith("/users/")
    ? { kind: "users" as const, key: "email" }
    : { kind: "branches" as const, key: "name" };
