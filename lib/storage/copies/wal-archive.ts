import { promisify } from "node:util";
import { buffer } from "node:stream/consumers";
import { constants, gunzip, zstdDecompress } from "node:zlib";
import { mebibytesInBytes } from "../../units.ts";
import { marksIn } from "./marks.ts";
import type { Place } from "./place.ts";

const maxBytes = mebibytesInBytes(256);
// A segment may be read while it arrives.
const limit = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
const expand: Record<string, (content: Buffer) => Promise<Buffer>> = {
  "": async (content) => content,
  // What pg_receivewal is still writing.
  ".partial": async (content) => content,
  ".gz": (content) => promisify(gunzip)(content, limit),
  ".zst": (content) => promisify(zstdDecompress)(content, { maxOutputLength: maxBytes }),
};

/** The heartbeats in the first of some segments that the archive has; none if it has none of them. */
export async function marksInSegment(place: Place, segments: string[]): Promise<string[]> {
  for (const segment of new Set(segments)) {
    for (const [suffix, expanded] of Object.entries(expand)) {
      const name = segment + suffix;
      if (!(await place.has(name)) || (await place.size(name)) > maxBytes) continue;
      const marks = marksIn(await expanded(await buffer(await place.read(name))));
      if (marks.length > 0) return marks;
    }
  }
  return [];
}
