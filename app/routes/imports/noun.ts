/** What a page imports, by its address. */
export const nounAt = (pathname: string) =>
  pathname.startsWith("/users/") ? { kind: "users" as const } : { kind: "branches" as const };

export type Noun = ReturnType<typeof nounAt>;
