import { fromBase64url } from "./base64url.ts";
import { sha256 } from "./sha256.ts";
import { isSignedBy, maxDigits, readSignedCode, type SignedCode, shortIdOf, verifyingKey } from "./signed-code.ts";
import type { Statement } from "./statement.ts";
import { entry, entryIn, entryInput, type PublishedKey, type StatusList } from "./status-list.ts";

/** Checking a signed code with saved keys and a saved status list, without any request. */

export type OfflineCheck =
  /** No address of a signed code: a plain code, a cut one, or something else. */
  | { kind: "no address" | "plain" | "unreadable" }
  | { kind: "no keys" | "unknown key" | "altered"; code: string }
  /** By a key that is not saved, of a host that has none of the saved keys. */
  | { kind: "other address"; code: string; host: string }
  /** Only the register knows which of its signatures were made before. */
  | { kind: "revoked key"; code: string; company: string; revokedAt: number }
  | {
      kind: "signed";
      code: string;
      /** Of the address. */
      host: string;
      /** As it called itself; empty if its keys have no name beside them. */
      company: string;
      kid: string;
      /** "newer" for a statement of a later version. */
      statement: Statement | "newer";
      inForce: InForce;
      /** The time of the status list that said so, in seconds since 1970. */
      listedAt?: number;
    };

/**
 * "ask online" if the list can't tell. Without a list of the company that is good by this device's clock: "past" if the
 * last day that the code states has passed, and else "unknown".
 */
export type InForce = "yes" | "no" | "past" | "ask online" | "unknown";

const maxAddressLength = 2000;
const daySeconds = 86_400;
/** A day ends so long after UTC in the time zone where it ends last. */
const westernmostSeconds = 12 * 3600;
/** A list that is newer than this device’s time by more is not relied on. */
const clockSkewSeconds = 300;
const signedAddress = /^(https?:\/\/[^\s?#]+\/v\/([0-9A-HJKMNP-TV-Z]{17}))(?:\/([0-9]*))?$/;

type Saved = { keys: PublishedKey[]; lists: StatusList[] };

/** Checks the text of a QR code. `now` is in seconds since 1970. */
export async function checkOffline(text: string, { keys, lists }: Saved, now: number): Promise<OfflineCheck> {
  const [, address, code, digits] = partsOf(text) ?? [];
  if (address === undefined || code === undefined || !URL.canParse(address)) return { kind: "no address" };
  if (digits === undefined) return { kind: "plain" };
  const signed = digits.length <= maxDigits ? readSignedCode(digits) : undefined;
  if (!signed) return { kind: "unreadable" };
  if (keys.length === 0) return { kind: "no keys", code };
  const candidates = await keysWith(signed.shortId, keys);
  const { host, origin } = new URL(address);
  if (candidates.length === 0) {
    const origins = keys.flatMap(({ status_list }) =>
      URL.canParse(status_list ?? "") ? new URL(status_list!).origin : [],
    );
    if (origins.length > 0 && !origins.includes(origin)) return { kind: "other address", code, host };
    return { kind: "unknown key", code };
  }
  const key = await signerOf(candidates, address, signed);
  if (!key) return { kind: "altered", code };
  const { kid, iss_name: company = "", revoked_at: revokedAt } = key;
  if (revokedAt !== undefined) return { kind: "revoked key", code, company, revokedAt };
  const list = lists.find(({ address }) => address === key.status_list);
  return {
    kind: "signed",
    code,
    host,
    company,
    kid,
    statement: signed.statement,
    inForce: await inForceBy(list, { code, statement: signed.statement }, now),
    ...(list && { listedAt: list.madeAt }),
  };
}

/** Whether a text is a verification address, with or without the digits of a signed code. */
export const isVerificationAddress = (text: string) => partsOf(text) !== undefined;

/** The addresses of the lists that a check of this text needs: as a rule one. */
export async function listsFor(text: string, keys: PublishedKey[]): Promise<string[]> {
  const signed = readSignedCode(partsOf(text)?.[3] ?? "");
  const matches = signed ? await keysWith(signed.shortId, keys) : [];
  return [...new Set(matches.flatMap(({ status_list }) => status_list ?? []))];
}

const partsOf = (text: string) => (text.length <= maxAddressLength && signedAddress.exec(text.trim())) || undefined;

/** The keys whose thumbprint begins so: as a rule one. */
async function keysWith(shortId: string, keys: PublishedKey[]): Promise<PublishedKey[]> {
  const matches: PublishedKey[] = [];
  for (const key of keys) {
    const start = fromBase64url(key.kid)?.subarray(0, 4) ?? new Uint8Array();
    const hex = Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join("");
    // The id that a saved file gives a key counts only if it is the key's own.
    if (hex === shortId && (await shortIdOf(key)) === shortId) matches.push(key);
  }
  return matches;
}

async function signerOf(keys: PublishedKey[], address: string, signed: SignedCode): Promise<PublishedKey | undefined> {
  for (const key of keys) {
    const imported = await verifyingKey(key).catch(() => undefined);
    if (imported && (await isSignedBy(imported, address, signed))) return key;
  }
  return undefined;
}

const answers = { [entry.inForce]: "yes", [entry.ended]: "no", [entry.askOnline]: "ask online" } as const;

async function inForceBy(
  list: StatusList | undefined,
  { code, statement }: { code: string; statement: Statement | "newer" },
  now: number,
): Promise<InForce> {
  const { date, lastDay } = statement === "newer" ? { date: Infinity, lastDay: null } : statement;
  const hasPassed = lastDay !== null && now >= (lastDay + 1) * daySeconds + westernmostSeconds;
  const isGood = list !== undefined && list.expiresAt >= now && list.madeAt <= now + clockSkewSeconds;
  if (!isGood) return hasPassed ? "past" : "unknown";
  // A code in force stays so until the list expires.
  const answer = answers[entryIn(list, await sha256(entryInput(list.salt, code)))];
  // A code that was issued since may fall on the entry of one that has ended.
  const mayBeIssuedSince = date >= Math.floor(list.madeAt / daySeconds) - 1;
  return answer === "no" && mayBeIssuedSince ? "ask online" : answer;
}
