import { hash, type KeyObject, randomBytes, verify, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { integer, sequence } from "#lib/seal/der.ts";
import { allowedKinds, isAllowed, type OperatorKey, OperatorKeyRefused, readChain } from "#lib/seal/operator-key.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { minutesInMs } from "#lib/units.ts";
import { TokenFailed, type TokenSettings, tokenTool } from "./token-tool.ts";

/** An operator's key on a PKCS #11 token: it never leaves it. */

type Tool = ReturnType<typeof tokenTool>;

/** A token that failed is not requested again for so long. */
const pauseMs = minutesInMs(1);
const mostWaiting = 100;

const settingOf: Record<TokenFailed["reason"], string> = {
  "not installed": "SEAL_TOKEN_MODULE",
  "not loaded": "SEAL_TOKEN_MODULE",
  pin: "SEAL_TOKEN_PIN",
  other: "SEAL_TOKEN_MODULE",
};

/**
 * Finds the key on the token and tries it. The key signs one file after the other, and throws `TokenFailed`. Throws
 * `OperatorKeyRefused`.
 */
export async function openToken(token: TokenSettings, now = () => new Date()): Promise<OperatorKey> {
  if (!existsSync(token.module)) throw new OperatorKeyRefused("SEAL_TOKEN_MODULE", "there is no file at this path");
  const tool = tokenTool(token);
  try {
    checkToken(await tool.tokens(), token.label);
    const sign = signerBy(tool, await findKey(tool, token.key));
    const trial = randomBytes(32);
    const signature = await sign(trial);
    const chain = readChain(token.certificates, {
      setting: "SEAL_TOKEN_CERTIFICATES",
      owner: "the token's key",
      belongs: ({ publicKey }) => isSignedBy(publicKey, trial, signature),
      now: now(),
    });
    const { publicKey } = new X509Certificate(chain[0]!);
    if (!isAllowed(publicKey)) throw new OperatorKeyRefused("SEAL_TOKEN_KEY", allowedKinds);
    return { chain, signFile: oneByOne(checked(sign, publicKey), now) };
  } catch (error) {
    if (!(error instanceof TokenFailed)) throw error;
    throw new OperatorKeyRefused(settingOf[error.reason], error.message, { cause: error });
  }
}

/** Throws unless the PIN reaches the right token, and may be tried there. */
function checkToken(tokens: Awaited<ReturnType<Tool["tokens"]>>, label: string) {
  const refuse = (reason: string) => new OperatorKeyRefused("SEAL_TOKEN_LABEL", reason);
  const labels = tokens.map((token) => `“${token.label}”`).join(", ");
  const token = tokens.find((other) => other.label === label);
  if (!token) throw refuse(`the module has no such token: ${labels ? `it has ${labels}` : "it has none at all"}`);
  // The tool takes the first token whose label begins with these characters.
  if (tokens.filter((other) => other.label.startsWith(label)).length > 1) {
    throw refuse(`several tokens' labels begin so (${labels}): give this one another label`);
  }
  const state = /user PIN locked|final user PIN try/.exec(token.flags)?.[0];
  if (!state) return;
  const advice =
    state === "user PIN locked"
      ? "the token has locked it: unlock it with its maker's program"
      : "the token allows one more try, which is left to you: give the right PIN to its maker's program first";
  throw new OperatorKeyRefused("SEAL_TOKEN_PIN", advice);
}

type Key = { id: string; isRsa: boolean };

async function findKey(tool: Tool, wanted: string): Promise<Key> {
  const refuse = (reason: string) => new OperatorKeyRefused("SEAL_TOKEN_KEY", reason);
  const keys = await tool.keys();
  const named = (key: (typeof keys)[number]) => `“${key.label ?? ""}” (ID ${key.id ?? "none"})`;
  const [key, another] = keys.filter(({ label, id }) => label === wanted || id === wanted.toLowerCase());
  if (!key) {
    const there = keys.map(named).join(", ") || "no private key";
    throw refuse(`no private key of the token has this label or ID: it has ${there}`);
  }
  if (another) throw refuse(`several private keys have this label or ID: ${named(key)}, ${named(another)}`);
  if (!key.id) throw refuse("the key has no ID, by which it is used: give it one");
  if (keys.filter(({ id }) => id === key.id).length > 1) throw refuse(`several private keys have the ID ${key.id}`);
  if (key.kind !== "EC" && key.kind !== "RSA") throw refuse(allowedKinds);
  return { id: key.id, isRsa: key.kind === "RSA" };
}

/** DigestInfo of a SHA-256 that follows (RFC 8017, 9.2). */
const sha256Info = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** Signs bytes by their SHA-256, with the two mechanisms that all tokens have. */
function signerBy(tool: Tool, { id, isRsa }: Key) {
  return async (bytes: Uint8Array): Promise<Buffer> => {
    const digest = hash("sha256", bytes, "buffer");
    if (isRsa) return tool.sign(id, "RSA-PKCS", Buffer.concat([sha256Info, digest]));
    return derSignature(await tool.sign(id, "ECDSA", digest));
  };
}

/** PKCS #11 has r‖s, CMS a sequence of the two. */
function derSignature(raw: Buffer) {
  if (raw.length === 0 || raw.length % 2) throw new TokenFailed("the token's signature has no two halves");
  const half = raw.length / 2;
  const number = (start: number) => integer(BigInt(`0x${raw.toString("hex", start, start + half)}`));
  return sequence(number(0), number(half));
}

function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array) {
  const isKnown = key.asymmetricKeyType === "ec" || key.asymmetricKeyType === "rsa";
  return isKnown && verify("sha256", bytes, key, signature);
}

/** A key that was replaced on the token must not sign under the old certificate. */
const checked = (sign: OperatorKey["signFile"], key: KeyObject) => async (bytes: Uint8Array) => {
  const signature = await sign(bytes);
  if (isSignedBy(key, bytes, signature)) return signature;
  throw new TokenFailed("the token's signature is not by the key of SEAL_TOKEN_CERTIFICATES");
};

/** One call at a time. A token that failed rests, and one that refuses the PIN gets no further request: it would lock itself. */
function oneByOne(sign: OperatorKey["signFile"], now: () => Date): OperatorKey["signFile"] {
  const refuse = () => new TokenFailed("too many files wait to be signed by the token");
  const queue = createWorkQueue({ concurrency: 1, maxWaiting: mostWaiting, refuse });
  let failed: { error: TokenFailed; until: number } | undefined;
  return (bytes) =>
    queue.run(async () => {
      if (failed && now().getTime() < failed.until) throw failed.error;
      try {
        return await sign(bytes);
      } catch (error) {
        if (error instanceof TokenFailed) {
          failed = { error, until: error.reason === "pin" ? Infinity : now().getTime() + pauseMs };
        }
        throw error;
      }
    });
}
