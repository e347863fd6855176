/** Browsers ignore the unknown relation, so that scripts don't share a slow line with what is shown. */
const [preload, lateScripts] = ['<link rel="modulepreload"', '<link rel="late-script"'];

/** A page whose scripts are preloaded by its page end (`page-end.tsx`), after the first paint. */
export function withLateScripts(page: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const headEnd = page.indexOf("</head>");
  // Latin-1 keeps every byte as it is; only ASCII is replaced.
  const head = page.toString("latin1", 0, headEnd).replaceAll(preload, lateScripts);
  return Buffer.concat([Buffer.from(head, "latin1"), page.subarray(headEnd)]);
}
