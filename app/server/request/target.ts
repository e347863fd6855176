/** A request's path as the router matches it, decoded and in lower case, for decisions before the router. */
export function pathOf(url = "/"): string {
  const path = URL.parse(`http://any${url}`)?.pathname ?? url;
  // The router takes malformed encodings literally.
  return (decoded(path) ?? path).toLowerCase();
}

/** The address of a code, with malformed encodings taken literally: Express would refuse them with plain English text. */
export function decodable(url = "/"): string {
  const [path = "", query = ""] = url.split(/(\?.*)/s);
  return /^\/v\//i.test(path) && decoded(path) === undefined ? path.replaceAll("%", "%25") + query : url;
}

/** Undefined for malformed encodings. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
