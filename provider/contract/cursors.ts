import { z } from "zod";

/** A row's position in an order: its sort key, and its id among rows with the same key. */
export type Cursor = { key: string; id: number };

/** The cursor as clients get it: opaque, and returned unchanged. */
export const encodeCursor = ({ key, id }: Cursor) => toBase64Url(JSON.stringify([key, id]));

const decoded = z
  .tuple([
    z
      .string()
      .max(500)
      // PostgreSQL stores no NUL.
      .refine((key) => !key.includes("\0")),
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  ])
  .transform(([key, id]): Cursor => ({ key, id }));

/** A cursor in a query. An unreadable one counts as absent, because the query's page number is enough. */
export const cursor = z
  .string()
  .max(4000)
  .optional()
  .transform((encoded) => (encoded ? decoded.safeParse(parse(encoded)).data : undefined));

function parse(encoded: string): unknown {
  try {
    return JSON.parse(fromBase64Url(encoded));
  } catch {
    return undefined;
  }
}

// Browsers load the contract, so Node's Buffer is not available.
const toBase64Url = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function fromBase64Url(encoded: string) {
  const bytes = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
