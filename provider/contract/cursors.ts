import { z } from "zod";

/** Where a row stands in an order: its value there, and its id among those that have the same. */
export type Cursor = { key: string; id: number };

/** A place as it is sent: whoever asks for what is beside it gives it back as it came. */
export const asCursor = ({ key, id }: Cursor) => Buffer.from(JSON.stringify([key, id])).toString("base64url");

const place = z
  .tuple([
    z
      .string()
      .max(500)
      // PostgreSQL knows no such character.
      .refine((key) => !key.includes("\0")),
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  ])
  .transform(([key, id]): Cursor => ({ key, id }));

/** A cursor in a query. One that can't be read counts as not given: the page's number says as much. */
export const cursor = z
  .string()
  .max(4000)
  .optional()
  .transform((sent) => (sent ? place.safeParse(parse(sent)).data : undefined));

function parse(sent: string): unknown {
  try {
    return JSON.parse(Buffer.from(sent, "base64url").toString());
  } catch {
    return undefined;
  }
}
