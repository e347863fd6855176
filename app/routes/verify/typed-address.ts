export const longestCode = 100;

/** The parameter of `/v` with a code that is to be corrected: that with `code` opens its page. */
export const typedAgain = "typed";

/** The parameter of a code’s page that says that its number was typed again after a slip. */
export const typedTwice = "again";

/** The address of `/v` where a code can be corrected, with what else was typed. */
export function addressToCorrect(code: string, address: string): string {
  const number = URL.parse(address, "http://localhost")?.searchParams.get("number");
  return `/v?${new URLSearchParams({ [typedAgain]: code, ...(number && { number }) })}`;
}

/** What programs put around a text that is copied: marks of direction, spaces of no width, ends of lines. */
const withoutInvisible = (text: string) =>
  text
    .normalize("NFC")
    .replace(/\p{C}|\p{Zl}|\p{Zp}/gu, "")
    .trim();

/**
 * The address of what is typed as a code. What a scanner shows of a QR code is pasted whole, or the address of a page that
 * was opened by it.
 */
export function addressOfTyped(typed: string): string | undefined {
  const code = withoutInvisible(typed);
  // A browser would go elsewhere by one of dots.
  if (!/[\p{L}\p{N}]/u.test(code)) return undefined;
  const pasted = /\/v\/([\w-]{1,100}(?:\/\d{1,1000})?)(?:\/(?:file|newer))?\/?(?:[?#].*)?$/.exec(code)?.[1];
  return `/v/${pasted ?? encodeURIComponent(code.slice(0, longestCode).toWellFormed())}`;
}
