import { type HashesAt, hashBytes, hashOfChildren, type Subtree } from "./tree.ts";

/** Tiles of C2SP tlog-tiles: 256 hashes of a tree side by side, and the entries in bundles of 256. */

export const tileWidth = 256;
const levelsOfTile = 8;
/** Levels 0 to 5, of which the last has more leaves than a log can have. */
const maxLevel = 5;

/** `level` counts tiles; `width` is how many hashes or entries it has, 256 if it is full. */
export type Tile = { level: number | "entries"; index: number; width: number };

/** Below the log's address, as `tile/0/x001/x234/067` or `tile/entries/000.p/8`. */
export function tilePath({ level, index, width }: Tile): string {
  const groups = String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, "0")
    .match(/\d{3}/g)!;
  const path = groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join("/");
  return `tile/${level}/${path}${width === tileWidth ? "" : `.p/${width}`}`;
}

/** The tile of a path; undefined for any other text than `tilePath` returns. */
export function parseTilePath(path: string): Tile | undefined {
  const match = /^tile\/(entries|\d)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (!match) return undefined;
  const [, level, groups, width] = match;
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(groups!.replaceAll(/[x/]/g, "")),
    width: width === undefined ? tileWidth : Number(width),
  };
  const isTile = tile.width > 0 && tile.width <= tileWidth && (tile.level === "entries" || tile.level <= maxLevel);
  return isTile && tilePath(tile) === path ? tile : undefined;
}

/** The tiles of `level` that a tree of `size` leaves has and one of `before` leaves had not, at their present width. */
export function newTiles(level: Tile["level"], before: number, size: number): Tile[] {
  const shift = tileWidth ** (level === "entries" ? 0 : level);
  const [had, has] = [Math.floor(before / shift), Math.floor(size / shift)];
  if (had === has) return [];
  const [first, last] = [Math.floor(had / tileWidth), Math.floor((has - 1) / tileWidth)];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const index = first + at;
    return { level, index, width: Math.min(tileWidth, has - index * tileWidth) };
  });
}

/** Levels of tiles that a tree of `size` leaves has, the lowest first. */
export const tileLevels = (size: number): number[] =>
  Array.from({ length: maxLevel + 1 }, (_, level) => level).filter((level) => size >= tileWidth ** level);

/** The hash of `hashes`, which are a power of two in number. */
export function hashOfComplete(hashes: Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, at) => hashOfChildren(row[2 * at]!, row[2 * at + 1]!));
  }
  return row[0]!;
}

/** The hashes of complete subtrees from tiles of which `readTile` returns at least the first `width` hashes. */
export const hashesFromTiles =
  (size: number, readTile: (tile: Tile & { level: number }) => Promise<Buffer[]>): HashesAt =>
  async (subtrees) => {
    const tiles = new Map<string, Promise<Buffer[]>>();
    const hashOf = async (subtree: Subtree) => {
      const level = Math.min(maxLevel, Math.floor(subtree.level / levelsOfTile));
      const leaves = 2 ** (subtree.level - level * levelsOfTile);
      const first = subtree.index * leaves;
      const index = Math.floor(first / tileWidth);
      const width = Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth);
      const key = `${level} ${index}`;
      if (!tiles.has(key)) tiles.set(key, readTile({ level, index, width }));
      const hashes = await tiles.get(key)!;
      return hashOfComplete(hashes.slice(first - index * tileWidth, first - index * tileWidth + leaves));
    };
    return Promise.all(subtrees.map(hashOf));
  };

/** A hash tile's content. */
export const tileOfHashes = (hashes: Uint8Array[]) => Buffer.concat(hashes);
export const hashesOfTile = (content: Buffer): Buffer[] =>
  Array.from({ length: Math.floor(content.length / hashBytes) }, (_, at) =>
    content.subarray(at * hashBytes, (at + 1) * hashBytes),
  );

/** An entry bundle's content: each entry behind its length in two bytes. */
export const bundleOf = (entries: Uint8Array[]) =>
  Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]));

/** The entries of a bundle; what is cut off at its end is none. */
export function entriesOf(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at + 2 <= bundle.length;) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) break;
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
