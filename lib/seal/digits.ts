/**
 * Bytes as decimal digits, which QR codes store in 3.3 bits each: seven bytes are 17 digits, big-endian and padded
 * with zeros; one to six bytes at the end are 3, 5, 8, 10, 13 or 15. Each text of digits is that of one sequence of bytes.
 */
const bytesInGroup = 7;
const digitsOf = [0, 3, 5, 8, 10, 13, 15, 17];
const digitsInGroup = 17;

/** The digits of up to some hundred bytes. */
export function toDigits(bytes: Uint8Array): string {
  let digits = "";
  for (let at = 0; at < bytes.length; at += bytesInGroup) {
    const group = bytes.subarray(at, at + bytesInGroup);
    const value = group.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    digits += value.toString().padStart(digitsOf[group.length]!, "0");
  }
  return digits;
}

/** The bytes of a text that `toDigits` can have made; undefined for any other, and for more than `maxDigits`. */
export function fromDigits(digits: string, maxDigits: number): Uint8Array<ArrayBuffer> | undefined {
  if (digits.length > maxDigits || !/^[0-9]*$/.test(digits)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += digitsInGroup) {
    const group = digits.slice(at, at + digitsInGroup);
    const length = digitsOf.indexOf(group.length);
    let value = BigInt(group);
    if (length < 0 || value >= 256n ** BigInt(length)) return undefined;
    const ofGroup: number[] = [];
    for (; ofGroup.length < length; value /= 256n) ofGroup.unshift(Number(value % 256n));
    bytes.push(...ofGroup);
  }
  return Uint8Array.from(bytes);
}
