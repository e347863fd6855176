const longestCode = 100;

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
  if (code === "") return undefined;
  const pasted = /\/v\/([\w-]{1,100}(?:\/\d{1,1000})?)(?:\/(?:file|newer))?\/?(?:[?#].*)?$/.exec(code)?.[1];
  return `/v/${pasted ?? encodeURIComponent(code.slice(0, longestCode).toWellFormed())}`;
}
