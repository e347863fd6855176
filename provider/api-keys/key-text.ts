import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { keyPrefix } from "../contract/api-key-limits.ts";

/**
 * The text of an API key: `sd_live_`, 32 random characters of base62 (190 bits), and the CRC-32 of all that in 6 more. By
 * the checksum scanners of secrets are sure, and mistyped keys are refused without a query.
 */

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const [randomLength, checksumLength] = [32, 6];

const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
/** A mistyped or cut one is secret as well. */
const anywhere = new RegExp(`${keyPrefix}[0-9A-Za-z]{10,}`, "i");

/** A new random key. */
export function makeKey(): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join("");
  return withChecksum(keyPrefix + random);
}

/** A key's text before its checksum with the checksum. */
export function withChecksum(text: string): string {
  let [rest, checksum] = [crc32(text), ""];
  for (let n = 0; n < checksumLength; n++) {
    checksum = digits[rest % digits.length] + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return text + checksum;
}

/** Whether a bearer token claims to be an API key, even if it is mistyped. */
export const isKey = (token: string): boolean => token.toLowerCase().startsWith(keyPrefix);

/** Whether a key has its shape and its checksum. */
export const isWellFormed = (key: string): boolean =>
  shape.test(key) && withChecksum(key.slice(0, -checksumLength)) === key;

/** The key in an address. */
export const keyIn = (text: string): string | undefined => anywhere.exec(text)?.[0];
