const anywhere = "http://own.invalid";

export function safeRedirectPath(path: unknown, otherwise = "/"): string {
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, anywhere)) return otherwise;
  const { origin, pathname, search } = new URL(path, anywhere);
  return origin === anywhere && !pathname.startsWith("//") ? pathname + search : otherwise;
}

/** The page to return to after signing in; for a list's CSV file or a map's points, their page. */
export const returnPath = ({ pathname, search }: URL) => pathname.replace(/(\/refused)?\.csv$|\/points$/, "") + search;
