import type { Metadata } from "sharp";
import { mebibytesInBytes } from "../../units.ts";
import { limits } from "../file-types.ts";

/** The memory a picture will take, computed from its header before it is decoded. */

/** Bytes of pixels held at once where a picture can't be streamed: interlaced PNG, progressive JPEG, WebP, rotation. */
const heldBytes = mebibytesInBytes(210);

type Header = Pick<Metadata, "format" | "width" | "height" | "channels" | "depth" | "isProgressive"> &
  Pick<Metadata, "chromaSubsampling" | "orientation">;

/** Why a picture is too large to open, as a predicate to its name; undefined if it is not. */
export function pictureRefusal(header: Header, max = limits.pixels): string | undefined {
  const { width, height, format, isProgressive, depth } = header;
  const pixels = width * height;
  if (pixels > max) return `has more than ${max / 1_000_000} million pixels: save it smaller and add it again`;
  const [decoded, turned] = [bytesToDecode(header), bytesToTurn(header)];
  if (decoded + turned <= heldBytes) return undefined;
  const way = !isProgressive || turned > heldBytes ? "smaller" : waysOut(format, depth);
  return `takes too much memory to open: save it ${way}, and add it again`;
}

function waysOut(format: string, depth: string) {
  if (format === "jpeg") return "as a baseline (not progressive) JPG or smaller";
  return depth === "uchar" ? "without interlacing or smaller" : "without interlacing and with 8 bits per colour";
}

/** Bytes that the decoder holds of a picture that can't be streamed. */
function bytesToDecode({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Header) {
  const pixels = width * height;
  if (format === "webp") return pixels * 4;
  if (!isProgressive) return 0;
  if (format !== "jpeg") return pixels * channels * bytesOf(depth);
  // JPEG decoders hold 16 bits for each sample; subsampled colours have at most half as many.
  const samples = chromaSubsampling?.startsWith("4:2") ? channels - 1 : channels;
  return pixels * 2 * samples;
}

/** Bytes held while a picture is rotated or mirrored by its EXIF orientation. */
function bytesToTurn({ width, height, channels, depth, orientation = 1 }: Header) {
  return orientation === 1 ? 0 : width * height * channels * bytesOf(depth);
}

const bytesOf = (depth: string) => ({ uchar: 1, char: 1, ushort: 2, short: 2 })[depth] ?? 4;
