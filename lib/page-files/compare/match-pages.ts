/** Finding the pages of a document in a file that may have fewer, more or others, or another order. Pages count from 0. */

export type PagePair = readonly [page: number, filePage: number];

export type Looks = {
  pages: number;
  filePages: number;
  /** Whether a page of the document and one of the file look the same. */
  isSame(page: number, filePage: number): boolean;
  /** How much their outlines differ, from 0 to 1. */
  distance(page: number, filePage: number): number;
};

export type Matches = { same: PagePair[]; moved: PagePair[]; changed: PagePair[]; removed: number[]; added: number[] };

/** Outlines of the same page at most, saved again. */
const sameDistance = 0.15;
/** Outlines of a page, and of the same page with some words changed, at most. */
export const alikeDistance = 0.3;
/** Pages of the document that are compared with one of the file, the likeliest first. */
const maxCandidates = 3;

/** `same` has all pages that look the same; those of them that came to another place are `moved` too. */
export function matchPages(looks: Looks): Matches {
  const { pages, filePages, isSame, distance } = looks;
  const pagesLeft = new Set(Array.from({ length: pages }, (_, page) => page));
  const leftOfFile = new Set(Array.from({ length: filePages }, (_, page) => page));
  const pair = (pairs: PagePair[], page: number, filePage: number) => {
    pagesLeft.delete(page);
    leftOfFile.delete(filePage);
    pairs.push([page, filePage]);
  };
  /** The unmatched pages of the document, the likeliest first; of equals, the one in the same place. */
  const likeliest = (filePage: number, maxDistance: number) =>
    [...pagesLeft]
      .map((page) => ({ page, far: distance(page, filePage), away: Math.abs(page - filePage) }))
      .filter(({ far }) => far < maxDistance)
      .toSorted((one, other) => one.far - other.far || one.away - other.away)
      .map(({ page }) => page);

  const [same, changed]: [PagePair[], PagePair[]] = [[], []];
  for (let page = 0; page < Math.min(pages, filePages); page++) if (isSame(page, page)) pair(same, page, page);
  for (const filePage of leftOfFile) {
    // The page of its place was altered if it is as like as any.
    const maxDistance = pagesLeft.has(filePage) ? Math.min(sameDistance, distance(filePage, filePage)) : sameDistance;
    const candidates = likeliest(filePage, maxDistance);
    const match = candidates.slice(0, maxCandidates).find((page) => isSame(page, filePage));
    if (match !== undefined) pair(same, match, filePage);
  }
  for (const filePage of leftOfFile) {
    // Another page in its place is one that changed.
    const [match = pages === filePages && pagesLeft.has(filePage) ? filePage : undefined] = likeliest(
      filePage,
      alikeDistance,
    );
    if (match !== undefined) pair(changed, match, filePage);
  }
  const isReordered = pagesLeft.size + leftOfFile.size === 0;
  const moved = isReordered ? same.filter(([page, filePage]) => page !== filePage) : outOfOrder(same);
  return { same, moved, changed, removed: [...pagesLeft], added: [...leftOfFile] };
}

/** The pairs that are not part of the longest run in the document's order. */
function outOfOrder(pairs: PagePair[]): PagePair[] {
  const inFile = pairs.toSorted(([, one], [, other]) => one - other);
  const lengths: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, [page]] of inFile.entries()) {
    const earlier = inFile.slice(0, at).flatMap(([other], index) => (other < page ? [index] : []));
    before[at] = earlier.toSorted((one, other) => lengths[other]! - lengths[one]!)[0];
    lengths[at] = 1 + (before[at] === undefined ? 0 : lengths[before[at]]!);
  }
  const sequence = new Set<number>();
  let at: number | undefined = lengths.indexOf(Math.max(...lengths));
  for (; at !== undefined && at >= 0; at = before[at]) sequence.add(at);
  return inFile.filter((_, index) => !sequence.has(index));
}
