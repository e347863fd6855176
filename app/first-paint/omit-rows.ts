import { isFirstPaintOn } from "./switch.ts";

/**
 * A part of a list without its rows in the data that hydrates a document, as they are in its table already. Client
 * requests still get them, and so does the server's render.
 */
export function omitRowsFromHydration<Part extends { rows: unknown[] }>(
  request: Request,
  part: Part,
): Omit<Part, "rows"> & Partial<Pick<Part, "rows">> {
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  if (!isFirstPaintOn || !isDocument) return part;
  const { rows, ...rest } = part;
  // React Router serializes enumerable properties only.
  return Object.defineProperty(rest, "rows", { value: rows, enumerable: false });
}
