import { LRUCache } from "lru-cache";
import { mebibytesInBytes, minutesInMs } from "#lib/units.ts";
import { ownBytes } from "./gzip-parts.ts";

export type Moment = { nonce: string; servedAt: string };

type Pieces = (Buffer<ArrayBuffer> | keyof Moment)[];

/** Pages as they were rendered, by all that they show (`docs/decisions/staff-pages.md`). */
const pages = new LRUCache<string, Pieces>({
  maxSize: mebibytesInBytes(16),
  ttl: minutesInMs(10),
  sizeCalculation: (pieces, shown) => shown.length + pieces.reduce((sum, { length }) => sum + length, 0),
});

/** A page as it was rendered before, or as `render` makes it now. `shown` has all that it depends on but the moment. */
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

function piecesOf(page: Buffer, { nonce, servedAt }: Moment): Pieces {
  const parts = page.toString("latin1").split(new RegExp(`(${nonce}|${servedAt})`));
  return parts.map((part) => {
    if (part === nonce) return "nonce";
    return part === servedAt ? "servedAt" : ownBytes(part, "latin1");
  });
}
