/** Headers of the pages behind a code. Their addresses have it, and digits, which other logs than ours would keep. */
export function headersOfCode(given: Headers): Headers {
  const headers = new Headers(given);
  headers.set("x-robots-tag", "noindex");
  headers.set("referrer-policy", "strict-origin");
  return headers;
}
