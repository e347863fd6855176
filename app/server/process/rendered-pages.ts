import { LRUCache } from "lru-cache";
import { mebibytesInBytes } from "#units";

/** What differs between two pages with the same data: their nonce, and when they were served. */
export type Moment = { nonce: string; servedAt: string | undefined };

/** Texts that no page has, in place of a page's own moment. */
const holes = { nonce: "\u0001nonce\u0001", servedAt: "\u0001served\u0001" };

/** Signed-in pages as they were rendered, by all that they were rendered from. */
const pages = new LRUCache<string, string>({
  maxSize: mebibytesInBytes(16),
  sizeCalculation: (page, from) => page.length + from.length,
});

const withoutMoment = (text: string, { nonce, servedAt }: Moment) => {
  const without = text.replaceAll(nonce, holes.nonce);
  return servedAt ? without.replaceAll(servedAt, holes.servedAt) : without;
};

const withMoment = (text: string, { nonce, servedAt = "" }: Moment) =>
  text.replaceAll(holes.nonce, nonce).replaceAll(holes.servedAt, servedAt);

/**
 * A page that was rendered before from the same data, or as `render` makes it now. `from` is everything that the page shows,
 * so that a page of other data, of another user or at another address is another one.
 */
export async function renderOnce(from: string, moment: Moment, render: () => Promise<string>): Promise<string> {
  const key = withoutMoment(from, moment);
  const known = pages.get(key);
  if (known !== undefined) return withMoment(known, moment);
  const page = await render();
  pages.set(key, withoutMoment(page, moment));
  return page;
}
