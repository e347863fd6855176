/** A request's path as the router matches it, decoded and in lower case, for decisions before the router. */
export function pathOf(url = "/"): string {
  const path = URL.parse(`http://any${url}`)?.pathname ?? url;
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    // The router takes malformed encodings literally.
    return path.toLowerCase();
  }
}
