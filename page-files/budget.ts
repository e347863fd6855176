import type { Metadata } from "sharp";
import { megabytesInBytes } from "#units";
import { limits } from "./kinds.ts";

/** What a picture will take in memory, from its header: before any of its pixels is unpacked. */

/**
 * The most bytes of pixels that may be held at once. Most pictures stream through in strips; held whole are interlaced
 * PNG, progressive JPEG, WebP, and what has to be turned upright. A 600 dpi scan of an A3 sheet that lies on its side takes
 * 199 MB.
 */
const heldBytes = megabytesInBytes(210);

type Header = Pick<Metadata, "format" | "width" | "height" | "channels" | "depth" | "isProgressive"> &
  Pick<Metadata, "chromaSubsampling" | "orientation">;

/** Why a picture is not opened: the end of a sentence that begins with its name, or undefined where it is. */
export function pictureRefusal(header: Header, most = limits.pixels): string | undefined {
  const { width, height, format, isProgressive, depth } = header;
  const pixels = width * height;
  if (pixels > most) return `has more than ${most / 1_000_000} million pixels: save it smaller and add it again`;
  const [decoded, turned] = [bytesToDecode(header), bytesToTurn(header)];
  if (decoded + turned <= heldBytes) return undefined;
  const way = !isProgressive || turned > heldBytes ? "smaller" : waysOut(format, depth);
  return `takes too much memory to open: save it ${way}, and add it again`;
}

function waysOut(format: string, depth: string) {
  if (format === "jpeg") return "as a baseline (not progressive) JPG or smaller";
  return depth === "uchar" ? "without interlacing or smaller" : "without interlacing and with 8 bits per colour";
}

/** Bytes that the decoder holds of a picture which does not come line by line. */
function bytesToDecode({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Header) {
  const pixels = width * height;
  if (format === "webp") return pixels * 4;
  if (!isProgressive) return 0;
  if (format !== "jpeg") return pixels * channels * bytesOf(depth);
  // JPEG decoders hold 16 bits for each sample; where colours are subsampled, they have half as many at most.
  const samples = chromaSubsampling?.startsWith("4:2") ? channels - 1 : channels;
  return pixels * 2 * samples;
}

/** Bytes that are held while a picture is turned or mirrored as its EXIF orientation says. */
function bytesToTurn({ width, height, channels, depth, orientation = 1 }: Header) {
  return orientation === 1 ? 0 : width * height * channels * bytesOf(depth);
}

const bytesOf = (depth: string) => ({ uchar: 1, char: 1, ushort: 2, short: 2 })[depth] ?? 4;
