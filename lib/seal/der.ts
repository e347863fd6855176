/** Writes and reads the few kinds of DER (ITU-T X.690) that certificates and signatures consist of. */

/** One value: its tag's byte, its length, and `parts` as its content. */
export function der(tag: number, ...parts: Uint8Array[]) {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const length = unsigned(BigInt(content.length));
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}

/** The big-endian bytes of a number that is not negative, as few as possible and at least one. */
function unsigned(n: bigint) {
  const digits = n.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

export const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);

/** DER sorts the elements of a SET OF by their bytes. */
export const setOf = (...parts: Uint8Array[]) => der(0x31, ...parts.toSorted(Buffer.compare));

/** A whole number that is not negative. */
export function integer(value: bigint | number) {
  const bytes = unsigned(BigInt(value));
  return bytes[0]! & 0x80 ? der(0x02, Buffer.of(0), bytes) : der(0x02, bytes);
}

export const boolean = (value: boolean) => der(0x01, Buffer.of(value ? 0xff : 0));
export const octetString = (...parts: Uint8Array[]) => der(0x04, ...parts);
/** Letters and digits alone. */
export const printableString = (text: string) => der(0x13, Buffer.from(text));
export const utf8String = (text: string) => der(0x0c, Buffer.from(text));

/** Whole bytes, unless the last one has unused bits. */
export const bitString = (bytes: Uint8Array, unusedBits = 0) => der(0x03, Buffer.of(unusedBits), bytes);

/** A context-specific tag around whole values: `[n] EXPLICIT`, or `[n] IMPLICIT SET OF` and `SEQUENCE`. */
export const constructed = (n: number, ...parts: Uint8Array[]) => der(0xa0 | n, ...parts);

/** A context-specific tag in place of a plain value's own: `[n] IMPLICIT`. */
export const primitive = (n: number, bytes: Uint8Array) => der(0x80 | n, bytes);

/** An object identifier in dotted form. */
export function oid(dotted: string) {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

function base128(n: number) {
  const bytes = [n % 128];
  for (let rest = Math.floor(n / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}

/** Seconds in UTC; RFC 5280 wants a year of two digits up to 2049. */
export function time(at: Date) {
  const digits = at.toISOString().replace(/\D/g, "").slice(0, 14);
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}

type DerValue = { tag: number; content: Buffer; whole: Buffer };

/** The values that follow each other in `bytes`, or the first of them. Throws a `RangeError` if one is cut short or has no definite length. */
export function readDer(bytes: Buffer, max = Infinity) {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length && values.length < max;) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || lengthBytes > 4) throw new RangeError("DER of an unknown length");
    const start = at + 2 + lengthBytes;
    const end = start + (lengthBytes ? bytes.readUIntBE(at + 2, lengthBytes) : first);
    if (end > bytes.length) throw new RangeError("DER that is cut short");
    values.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}
