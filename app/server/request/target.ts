/**
 * The path that a request asks for, as the router reads it: dots are resolved, the rest is decoded and in lower case.
 * Whatever decides by the address before the router does looks at this, so that no other spelling comes past it.
 */
export function pathOf(url = "/"): string {
  const path = URL.parse(`http://any${url}`)?.pathname ?? url;
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    // The router reads what it can't decode as it is.
    return path.toLowerCase();
  }
}
