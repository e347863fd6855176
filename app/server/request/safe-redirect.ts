const anywhere = "http://own.invalid";

/** A path on this site as somebody's link gives it, or `otherwise` for whatever could lead elsewhere. */
export function safeRedirectPath(path: unknown, otherwise = "/"): string {
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, anywhere)) return otherwise;
  const { origin, pathname, search } = new URL(path, anywhere);
  return origin === anywhere && !pathname.startsWith("//") ? pathname + search : otherwise;
}

/** The page of an address with its query, to come back to after signing in: of a list's file or a map's places, the list. */
export const returnPath = ({ pathname, search }: URL) => pathname.replace(/\.csv$|\/points$/, "") + search;
