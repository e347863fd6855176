import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { secondsInMs } from "../units.ts";

/** Signed notes (C2SP signed-note) by Ed25519: of logs, and of witnesses as cosignatures with a time (C2SP tlog-cosignature). */

const types = { log: 1, witness: 4 } as const;
type Kind = keyof typeof types;

/** A key that verifies notes; `text` is what operators exchange (vkey): `NAME+ID+KEY`. */
export type NoteKey = { name: string; kind: Kind; id: Buffer; publicKey: KeyObject; text: string };

/** A private key that signs notes, and its public one. */
export type NoteSigner = { key: NoteKey; privateKey: KeyObject };

/** A signature that was verified; `at` is the time of a cosignature. */
export type NoteSignature = { key: NoteKey; line: string; at: Date | undefined };

const maxCharacters = 100_000;
const maxSignatures = 100;
const keyBytes = 32;
const signatureBytes = 64;
const timeBytes = 8;

const isName = (name: string) => /^[^\s+\p{C}]+$/u.test(name) && name.length <= 250;

/** The bytes of a text in standard base64; undefined for any other text, even one that decoders forgive. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? bytes : undefined;
}

/** The key of a name. Throws `RangeError` for a name with spaces or a plus, and for other keys than Ed25519. */
export function noteKey(name: string, kind: Kind, anyKey: KeyObject): NoteKey {
  const publicKey = anyKey.type === "private" ? createPublicKey(anyKey) : anyKey;
  if (publicKey.asymmetricKeyType !== "ed25519" || !isName(name)) throw new RangeError("no name or key of a note");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
  const typed = Buffer.concat([Buffer.of(types[kind]), raw]);
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typed]), "buffer").subarray(0, 4);
  return { name, kind, id, publicKey, text: `${name}+${id.toString("hex")}+${typed.toString("base64")}` };
}

/** Reads `NAME+ID+KEY`; undefined unless it is a key of Ed25519 of one of both kinds with its own id. */
export function readNoteKey(text: string): NoteKey | undefined {
  const [, name = "", encoded = ""] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/u.exec(text) ?? [];
  const typed = fromBase64(encoded);
  const kind = (Object.keys(types) as Kind[]).find((each) => types[each] === typed?.[0]);
  if (!isName(name) || !kind || typed?.length !== 1 + keyBytes) return undefined;
  const jwk = { kty: "OKP", crv: "Ed25519", x: typed.subarray(1).toString("base64url") };
  const key = noteKey(name, kind, createPublicKey({ key: jwk, format: "jwk" }));
  return key.text === text ? key : undefined;
}

/** The bytes that a cosignature signs. */
const cosigned = (text: string, seconds: bigint) => Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

/** The signature line, with its end of line, of a text that ends with one. */
export function signatureLine(text: string, { key, privateKey }: NoteSigner, now: Date): string {
  const seconds = BigInt(Math.floor(now.getTime() / secondsInMs(1)));
  const time = Buffer.alloc(key.kind === "witness" ? timeBytes : 0);
  if (key.kind === "witness") time.writeBigUInt64BE(seconds);
  const signed = key.kind === "witness" ? cosigned(text, seconds) : Buffer.from(text);
  const signature = Buffer.concat([key.id, time, sign(null, signed, privateKey)]);
  return `— ${key.name} ${signature.toString("base64")}\n`;
}

/** The time of a valid signature, null for a log's own; undefined for a signature that is not the key's. */
function verifiedTime(text: string, { kind, publicKey }: NoteKey, bytes: Buffer): Date | null | undefined {
  const length = kind === "witness" ? timeBytes : 0;
  const signature = bytes.subarray(length);
  if (signature.length !== signatureBytes) return undefined;
  if (kind === "log") return verify(null, Buffer.from(text), publicKey, signature) ? null : undefined;
  const seconds = bytes.readBigUInt64BE();
  const at = new Date(secondsInMs(Number(seconds)));
  if (Number.isNaN(at.getTime())) return undefined;
  return verify(null, cosigned(text, seconds), publicKey, signature) ? at : undefined;
}

/**
 * The text of a note and its signatures by these keys, one a key at most; others' are ignored. Undefined for what is no
 * note, without a signature of these keys, and with a wrong one.
 */
export function openNote(note: string, keys: NoteKey[]): { text: string; signatures: NoteSignature[] } | undefined {
  if (note.length > maxCharacters || !note.isWellFormed() || /(?!\n)\p{Cc}/u.test(note)) return undefined;
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return undefined;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > maxSignatures) return undefined;
  const signatures = new Map<NoteKey, NoteSignature>();
  for (const line of lines) {
    const [, name, encoded = ""] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (!name || !bytes || bytes.length < 5) return undefined;
    const key = keys.find((each) => each.name === name && each.id.equals(bytes.subarray(0, 4)));
    if (!key || signatures.has(key)) continue;
    const at = verifiedTime(text, key, bytes.subarray(4));
    if (at === undefined) return undefined;
    signatures.set(key, { key, line: `${line}\n`, at: at ?? undefined });
  }
  return signatures.size > 0 ? { text, signatures: [...signatures.values()] } : undefined;
}
