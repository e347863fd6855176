/** Headers of the pages behind a code. Their addresses have it, and digits, which other logs than ours would keep. */
export function headersOfCode({ loaderHeaders, actionHeaders }: Record<"loaderHeaders" | "actionHeaders", Headers>) {
  const headers = new Headers(loaderHeaders);
  for (const [name, value] of actionHeaders) headers.set(name, value);
  headers.set("x-robots-tag", "noindex");
  headers.set("referrer-policy", "strict-origin");
  return headers;
}
