/** The part of CBOR (RFC 8949) that statements use: integers, bytes, text, null and one array, in their shortest forms. */
export type CborValue = number | string | Uint8Array | null;

const unsigned = 0;
const negative = 1;
const byteString = 2;
const textString = 3;
const array = 4;
const nullByte = 0xf6;

/** An array of values. Integers are at most 2³² − 1 either way. */
export const encodeArray = (values: CborValue[]) => concat(head(array, values.length), ...values.map(encode));

/** A byte string with its head. */
export const encodeBytes = (bytes: Uint8Array) => concat(head(byteString, bytes.length), bytes);

function encodeText(value: string) {
  const bytes = new TextEncoder().encode(value);
  return concat(head(textString, bytes.length), bytes);
}

/** The values of an array that is all of `bytes` and encoded as `encodeArray` does; undefined for anything else. */
export function decodeArray(bytes: Uint8Array): CborValue[] | undefined {
  try {
    const reader = { bytes, at: 0 };
    const { kind, value: length } = readHead(reader);
    if (kind !== array || length > bytes.length) return undefined;
    const values = Array.from({ length }, () => decode(reader));
    // Encoding again refuses longer forms, bytes left over, and text that is not UTF-8.
    return areEqual(encodeArray(values), bytes) ? values : undefined;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

export const concat = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

export const areEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, n) => byte === b[n]);

function encode(value: CborValue): Uint8Array {
  if (value === null) return Uint8Array.of(nullByte);
  if (typeof value === "string") return encodeText(value);
  if (typeof value === "number") return value < 0 ? head(negative, -1 - value) : head(unsigned, value);
  return encodeBytes(value);
}

/** The kind and number that begin each item. */
function head(kind: number, value: number): Uint8Array {
  const first = kind << 5;
  if (value < 24) return Uint8Array.of(first | value);
  if (value < 2 ** 8) return Uint8Array.of(first | 24, value);
  if (value < 2 ** 16) return Uint8Array.of(first | 25, value >>> 8, value & 0xff);
  if (value < 2 ** 32)
    return Uint8Array.of(first | 26, value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  throw new RangeError("number too large");
}

type Reader = { bytes: Uint8Array; at: number };

function take(reader: Reader, length: number): Uint8Array {
  const bytes = reader.bytes.subarray(reader.at, reader.at + length);
  if (bytes.length < length) throw new RangeError("bytes missing");
  reader.at += length;
  return bytes;
}

function readHead(reader: Reader) {
  const first = take(reader, 1)[0]!;
  const short = first & 0x1f;
  if (short < 24) return { kind: first >> 5, value: short };
  if (short > 26) throw new RangeError("unsupported item");
  const value = take(reader, 2 ** (short - 24)).reduce((sum, byte) => sum * 256 + byte, 0);
  return { kind: first >> 5, value };
}

function decode(reader: Reader): CborValue {
  if (reader.bytes[reader.at] === nullByte) return take(reader, 1) && null;
  const { kind, value } = readHead(reader);
  if (kind === unsigned) return value;
  if (kind === negative) return -1 - value;
  if (kind === byteString) return take(reader, value);
  if (kind === textString)
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(reader, value));
  throw new RangeError("unsupported item");
}
