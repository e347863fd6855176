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

/** A code's address in which encodings that Express cannot decode are taken literally: it would refuse them, in English and not as a page. */
export function decodable(url = "/"): string {
  const [path = "", query = ""] = url.split(/(\?.*)/s);
  return /^\/v\//i.test(path) && !isDecodable(path) ? path.replaceAll("%", "%25") + query : url;
}

function isDecodable(path: string) {
  try {
    // Rolldown leaves the call out where nothing uses what it returns.
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}
