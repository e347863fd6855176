import { hash, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { secondsInMs } from "#lib/units.ts";

/** One-time codes of authenticator apps (RFC 6238), and recovery codes. Nothing here is stored. */

const period = 30;

/** An authenticator app with a secret in base32; `label` names the account to its user. */
const appWith = (secret: string, label: string) =>
  new TOTP({ issuer: "Sealdesk", label, secret: Secret.fromBase32(secret), period, digits: 6, algorithm: "SHA1" });

/** A new secret of 160 bits in base32, as RFC 4226 advises. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that authenticator apps read from a QR code. */
export const appAddress = (secret: string, label: string): string => appWith(secret, label).toString();

/** The digits that a user typed, grouped or not; undefined if it is no one-time code. */
const digitsOf = (typed: string) => /^\d{6}$/.exec(typed.replace(/[\s-]/g, ""))?.[0];

/** Whether a text has the form of a one-time code: anything else is taken for a recovery code. */
export const isOneTimeCode = (typed: string): boolean => digitsOf(typed) !== undefined;

/**
 * The 30 seconds that a one-time code is for, counted from 1970: those of `now`, or the ones before or after them, as
 * clocks differ and typing takes a while. Undefined if the code is for others.
 */
export function stepOf(secret: string, typed: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = appWith(secret, "").validate({ token: digitsOf(typed) ?? "", timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / secondsInMs(period)) + delta;
}

/** Without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const [groups, groupLength] = [5, 5];
const recoveryCodeCount = 10;

/** Recovery codes of 123 bits each, such as `k7dpm-3xqwe-…`: long enough for a plain hash (ASVS 6.5.2). */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newRecoveryCode);

function newRecoveryCode() {
  const characters = Array.from({ length: groupLength }, () => alphabet[0]!);
  return Array.from({ length: groups }, () =>
    characters.map(() => alphabet[randomInt(alphabet.length)]!).join(""),
  ).join("-");
}

/** The stored hash of a recovery code, in whatever case and groups it was typed; different for each user. */
export const recoveryHash = (userId: number, typed: string): string =>
  hash("sha256", `${userId} ${typed.toLowerCase().replace(/[^a-z0-9]/g, "")}`, "base64url");
