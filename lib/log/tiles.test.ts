import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, suite, test } from "vitest";
import { goLog, withoutGoLog } from "../../tests/fixtures/go-log.ts";
import {
  bundleOf,
  entriesOf,
  hashesFromTiles,
  hashOfComplete,
  newTiles,
  parseTilePath,
  type Tile,
  tileLevels,
  tileOfHashes,
  tilePath,
} from "./tiles.ts";
import { hashOfLeaf, rootOf } from "./tree.ts";

suite("a tile", () => {
  test.each([
    [{ level: 0, index: 0, width: 256 }, "tile/0/000"],
    [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
    [{ level: 3, index: 1000, width: 7 }, "tile/3/x001/000.p/7"],
    [{ level: "entries", index: 42, width: 255 }, "tile/entries/042.p/255"],
  ] as [Tile, string][])("%o has the path %s", (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test.each([
    "tile/0/0",
    "tile/6/000",
    "tile/8/0/000",
    "tile/0/x000/001",
    "tile/0/000.p/256",
    "tile/0/000.p/0",
    "tile/0/000.p/07",
    "tile/entries/../../key",
    "tile/0/x001/x234/x567/x890/x123/456",
    "tile/0/000\n",
  ])("has no path like %o", (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });

  test("bundles entries so that they are read again, whatever is cut off", () => {
    const entries = [Buffer.from("one"), Buffer.alloc(0), Buffer.alloc(300, 7)];
    const bundle = bundleOf(entries);
    expect(entriesOf(bundle)).toEqual(entries);
    for (let end = 0; end < bundle.length; end++) expect(entriesOf(bundle.subarray(0, end)).length).toBeLessThan(3);
  });

  test.skipIf(withoutGoLog)("is read by Go, which proves each entry by tiles that were written in steps", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sealdesk-tiles-"));
    const size = 66_000;
    const entries = Array.from({ length: size }, (_, n) => createHash("sha256").update(`entry ${n}`).digest());
    const levels: Buffer[][] = [entries.map(hashOfLeaf)];
    const hashes = async ({ level, index, width }: Tile & { level: number }) => {
      levels[level] ??= Array.from({ length: Math.floor(levels[level - 1]!.length / 256) }, (_, n) =>
        hashOfComplete(levels[level - 1]!.slice(n * 256, n * 256 + 256)),
      );
      return levels[level]!.slice(index * 256, index * 256 + width);
    };
    const write = (tile: Tile, content: Buffer) => {
      const path = join(folder, tilePath(tile));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    };
    for (const [from, to] of [
      [0, 1],
      [1, 255],
      [255, 257],
      [257, 65_535],
      [65_535, size],
    ] as const) {
      for (const tile of newTiles("entries", from, to)) {
        write(tile, bundleOf(entries.slice(tile.index * 256, tile.index * 256 + tile.width)));
      }
      for (const level of tileLevels(to)) {
        for (const tile of newTiles(level, from, to)) write(tile, tileOfHashes(await hashes({ ...tile, level })));
      }
    }
    const root = await rootOf(size, hashesFromTiles(size, hashes));
    expect(goLog([folder, String(size), root.toString("base64")]).trim()).toBe(String(size));
    rmSync(folder, { recursive: true });
  });
});
