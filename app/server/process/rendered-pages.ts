import { LRUCache } from "lru-cache";
import { mebibytesInBytes, minutesInMs } from "#units";

/** What differs between two pages that show the same: their nonce, and when they were served. */
export type Moment = { nonce: string; servedAt: string };

/** A page in pieces, between which its moment stands. */
type Pieces = (Buffer<ArrayBuffer> | keyof Moment)[];

/** Pages as they were rendered, by all that they show (`docs/decisions/staff-pages.md`). */
const pages = new LRUCache<string, Pieces>({
  maxSize: mebibytesInBytes(16),
  ttl: minutesInMs(10),
  sizeCalculation: (pieces, shown) => shown.length + pieces.reduce((sum, { length }) => sum + length, 0),
});

/**
 * The page that shows this: as it was rendered before, or as `render` makes it now. `shown` has all that the page depends on,
 * so that another user's page, or one of other data or at another address, is another one.
 */
export async function renderOnce(
  shown: string,
  moment: Moment,
  render: () => Promise<Buffer<ArrayBuffer>>,
): Promise<Buffer<ArrayBuffer>> {
  const known = pages.get(shown);
  if (known)
    return Buffer.concat(known.map((piece) => (typeof piece === "string" ? Buffer.from(moment[piece]) : piece)));
  const page = await render();
  pages.set(shown, piecesOf(page, moment));
  return page;
}

/** Both are of letters, digits, hyphens and underscores. */
function piecesOf(page: Buffer, { nonce, servedAt }: Moment): Pieces {
  // Latin-1 keeps every byte as it is.
  const parts = page.toString("latin1").split(new RegExp(`(${nonce}|${servedAt})`));
  return parts.map((part) => {
    if (part === nonce) return "nonce";
    return part === servedAt ? "servedAt" : Buffer.from(part, "latin1");
  });
}
