/**
 * A part of a list whose rows go to the browser once. With a document they are its table, and no part of the data that
 * its scripts begin with: there `rows` is missing. Where a script asks, they are data.
 */
export function once<Part extends { rows: unknown[] }>(
  request: Request,
  part: Part,
): Omit<Part, "rows"> & Partial<Pick<Part, "rows">> {
  const { rows, ...rest } = part;
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  // What can't be enumerated is there while the document is rendered, and not sent along as data.
  return Object.defineProperty(rest, "rows", { value: rows, enumerable: !isDocument });
}
