/** Removes metadata from JPEG and JPEG 2000 files without decoding them. */

const ascii = (bytes: Uint8Array, from: number, length: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(length, bytes.length - from)).toString("latin1");

/** Ranges of a file; adjacent ones are merged, so that a picture without metadata is not copied. */
class Parts {
  private readonly bytes: Uint8Array;
  private readonly parts: { from: number; to: number; instead?: Uint8Array }[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  add(from: number, to: number) {
    const last = this.parts.at(-1);
    if (last && !last.instead && last.to === from) last.to = to;
    else this.parts.push({ from, to });
  }

  replace(instead: Uint8Array) {
    this.parts.push({ from: 0, to: 0, instead });
  }

  joined(): Uint8Array {
    const all = this.parts.map(({ from, to, instead }) => instead ?? this.bytes.subarray(from, to));
    return all.length === 1 ? all[0]! : Buffer.concat(all);
  }
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
/** Markers without a length: restarts, and one for private use. */
const standsAlone = (marker: number) => (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;

/** A JPEG without EXIF, XMP, comments, thumbnails and trailing data; decoders need the JFIF, Adobe and profile segments. */
export function withoutJpegMetadata(jpeg: Uint8Array): Uint8Array {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  const parts = new Parts(jpeg);
  parts.add(0, Math.min(2, bytes.length));
  let at = 2;
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) {
      // Entropy-coded data, or damage, up to the next marker.
      const next = nextMarker(bytes, at);
      parts.add(at, next);
      at = next;
      continue;
    }
    const marker = bytes[at + 1]!;
    if (marker === endOfImage) {
      parts.add(at, at + 2);
      break;
    }
    if (marker === 0xff || standsAlone(marker)) {
      parts.add(at, at + (marker === 0xff ? 1 : 2));
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (at + 4 > bytes.length) break;
    const end = Math.min(at + 2 + bytes.readUInt16BE(at + 2), bytes.length);
    addSegment(parts, bytes, { marker, at, end });
    at = marker === startOfScan ? nextMarker(bytes, end) : end;
    if (marker === startOfScan) parts.add(end, at);
  }
  return parts.joined();
}

/** The end of entropy-coded data: a 0xff that is neither a stuffed byte nor a restart marker. */
function nextMarker(bytes: Buffer, from: number) {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const marker = bytes[at + 1]!;
    if (marker !== 0x00 && !(marker >= 0xd0 && marker <= 0xd7) && marker !== 0xff) return at;
    at = bytes.indexOf(0xff, marker === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}

/** Length fields of the two application segments that decoders read. */
const lengths = { jfif: 16, adobe: 14 };

function addSegment(parts: Parts, bytes: Buffer, { marker, at, end }: { marker: number; at: number; end: number }) {
  const startsWith = (text: string) => ascii(bytes, at + 4, text.length) === text;
  /** Truncates a segment to `length`, with its last bytes zeroed. */
  const addHead = (length: number, zeros: number) => {
    if (end - at <= length + 2) return parts.add(at, end);
    const head = Buffer.from(bytes.subarray(at, at + length + 2)).fill(0, length + 2 - zeros);
    head.writeUInt16BE(length, 2);
    return parts.replace(head);
  };
  // The zeroed bytes are the size of the removed thumbnail.
  if (marker === 0xe0 && startsWith("JFIF\0")) return addHead(lengths.jfif, 2);
  if (marker === 0xee && startsWith("Adobe")) return addHead(lengths.adobe, 0);
  if (marker === 0xe2 && startsWith("ICC_PROFILE\0")) return parts.add(at, end);
  const isMetadata = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
  if (!isMetadata) parts.add(at, end);
}

/** The boxes that decoders need (ISO 15444-1 annex I, 15444-2 annex M). */
const requiredBoxes = new Set(["jP  ", "ftyp", "rreq", "jp2h", "jp2c", "jpch", "jplh"]);

/** A JPEG 2000 file without XMP, EXIF and other optional boxes. A bare codestream has no boxes. */
export function withoutJpeg2000Metadata(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (ascii(bytes, 4, 4) !== "jP  ") return file;
  const parts = new Parts(file);
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const long = length === 1 && at + 16 <= bytes.length;
    const size = long ? Number(bytes.readBigUInt64BE(at + 8)) : length === 0 ? bytes.length - at : length;
    if (size < 8) break;
    const end = Math.min(at + size, bytes.length);
    if (requiredBoxes.has(ascii(bytes, at + 4, 4))) parts.add(at, end);
    at = end;
  }
  return parts.joined();
}
