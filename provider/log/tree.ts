import {
  bundleOf,
  entriesOf,
  hashesFromTiles,
  hashesOfTile,
  hashOfComplete,
  type Tile,
  tilePath,
  tileOfHashes,
  tileWidth,
} from "#lib/log/tiles.ts";
import { type HashesAt, hashOfLeaf } from "#lib/log/tree.ts";
import type { Files } from "#lib/storage/files/files.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { type Origin, pathOf } from "./origins.ts";

/**
 * An origin's tree: entries from the database, hashes above them from its tiles in the store. Tiles of level 0 are not
 * stored, as entry bundles give their hashes.
 */

type Stores = Pick<Services, "db" | "files">;
type HashTile = Tile & { level: number };

/** The key of an origin's file in the store, or of its folder. */
export const logFile = (origin: Pick<Origin, "name">, path = "") =>
  ["log", pathOf(origin), ...(path ? [path] : [])].join("/");

/** A small file's content; undefined if there is none. */
export async function readSmall(files: Files, key: string): Promise<Buffer | undefined> {
  if (!(await files.exists(key))) return undefined;
  return Buffer.from(await new Response(await files.stream(key)).arrayBuffer());
}

/** The entries of a bundle by the database. Throws if a number is missing. */
export async function entriesFrom(db: Db, { index, width }: Pick<Tile, "index" | "width">): Promise<Buffer[]> {
  const first = index * tileWidth;
  const rows = await db
    .selectFrom("log_entries")
    .where("number", ">=", first)
    .where("number", "<", first + width)
    .orderBy("number")
    .select("entry")
    .execute();
  if (rows.length !== width) throw new Error(`the log lacks entries from ${first} to ${first + width - 1}`);
  return rows.map(({ entry }) => Buffer.from(entry!, "base64"));
}

/** The widest stored file of a tile, when the tree in the store has `size` leaves. */
async function storedTile(files: Files, origin: Pick<Origin, "name">, { level, index }: Tile, size: number) {
  const has = Math.floor(size / tileWidth ** (level === "entries" ? 0 : level)) - index * tileWidth;
  const width = Math.min(tileWidth, has);
  return width > 0 ? readSmall(files, logFile(origin, tilePath({ level, index, width }))) : undefined;
}

/** An entry as the store's bundle of `size` entries has it; undefined if there is none. */
export async function publishedEntry(files: Files, origin: Pick<Origin, "name">, number: number, size: number) {
  const tile: Tile = { level: "entries", index: Math.floor(number / tileWidth), width: tileWidth };
  const bundle = await storedTile(files, origin, tile, size);
  return bundle && entriesOf(bundle)[number % tileWidth];
}

/** A tile's file for the public; undefined if a tree of `size` leaves has none. */
export async function publicTile(files: Files, origin: Pick<Origin, "name">, tile: Tile, size: number) {
  const isHashesOfEntries = tile.level === 0;
  const stored = await storedTile(files, origin, isHashesOfEntries ? { ...tile, level: "entries" } : tile, size);
  if (!stored) return undefined;
  const isEntries = tile.level === "entries" || isHashesOfEntries;
  const parts = (isEntries ? entriesOf(stored) : hashesOfTile(stored)).slice(0, tile.width);
  if (parts.length < tile.width) return undefined;
  if (tile.level === "entries") return bundleOf(parts);
  return tileOfHashes(isHashesOfEntries ? parts.map(hashOfLeaf) : parts);
}

/** The hashes of the tree's tiles; `published` is the size of the tree in the store, where higher tiles are read. */
export function treeOf({ db, files }: Stores, origin: Pick<Origin, "name">, published: number) {
  async function tileHashes(tile: HashTile): Promise<Buffer[]> {
    if (tile.level === 0) return (await entriesFrom(db, tile)).map(hashOfLeaf);
    const stored = await storedTile(files, origin, tile, published);
    const hashes = stored ? hashesOfTile(stored).slice(0, tile.width) : [];
    while (hashes.length < tile.width) {
      const child = { level: tile.level - 1, index: tile.index * tileWidth + hashes.length, width: tileWidth };
      hashes.push(hashOfComplete(await tileHashes(child)));
    }
    return hashes;
  }
  return { tileHashes, hashesAt: (size: number): HashesAt => hashesFromTiles(size, tileHashes) };
}
