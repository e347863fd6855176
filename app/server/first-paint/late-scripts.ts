/**
 * The router names a page's scripts in its head, where they share a slow line with the style sheet that nothing is shown
 * without: at 1.6 Mbit/s that took 0.8 s to come instead of 0.3 to 0.6 s. So they are named by a word that browsers
 * don't know, until the script at the page's end, which waits for the style sheet as every script does, says what they
 * are. Asking for them takes an old telephone 30 ms, and so it does that once the page is shown, or at once in a tab
 * that is not looked at, where nothing is shown.
 */
const [early, late] = ['<link rel="modulepreload"', '<link rel="late-script"'];

/** The script at the page's end. */
export const fetchLateScripts = `{
const fetchThem = () => { for (const link of document.querySelectorAll("[rel=late-script]")) link.rel = "modulepreload" };
document.hidden ? fetchThem() : requestAnimationFrame(() => setTimeout(fetchThem)) }`;

/** A page with the scripts in its head renamed. */
export function withLateScripts(page: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const end = page.indexOf("</head>");
  // Byte by byte, as nothing but ASCII is replaced.
  const head = page.toString("latin1", 0, end).replaceAll(early, late);
  return Buffer.concat([Buffer.from(head, "latin1"), page.subarray(end)]);
}
