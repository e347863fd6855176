import { fromBase64 } from "./notes.ts";
import { readHash, readSize } from "./checkpoints.ts";

/** A proof that an entry is in a log, as a file (C2SP tlog-proof). `extra` is opaque, `index` from 0. */
export type LogProof = { extra: Buffer | undefined; index: number; hashes: Buffer[]; checkpoint: string };

const header = "c2sp.org/tlog-proof@v1";
const maxHashes = 63;

const saltBytes = 16;

/** The time of entry and the record of what an entry is the hash of. */
export function preimageParts(extra: Buffer): { enteredAt: string; record: string } {
  const [enteredAt = "", record = ""] = extra.subarray(saltBytes).toString().split("\n");
  return { enteredAt, record };
}

export const writeProof = ({ extra, index, hashes, checkpoint }: LogProof): string =>
  [
    header,
    ...(extra ? [`extra ${extra.toString("base64")}`] : []),
    `index ${index}`,
    ...hashes.map((hash) => hash.toString("base64")),
    "",
    checkpoint,
  ].join("\n");

/** Undefined for what is no proof. Neither hashes nor signatures are checked. */
export function readProof(text: string): LogProof | undefined {
  const end = text.indexOf("\n\n");
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split("\n", maxHashes + 4);
  const extra = lines[0]?.startsWith("extra ") ? lines.shift()!.slice("extra ".length) : undefined;
  const [, index = ""] = /^index (.*)$/.exec(lines.shift() ?? "") ?? [];
  const proof = {
    extra: extra === undefined ? undefined : fromBase64(extra),
    index: readSize(index),
    hashes: lines.map(readHash),
    checkpoint: text.slice(end + 2),
  };
  const isRead = proof.index !== undefined && !proof.hashes.includes(undefined) && lines.length <= maxHashes;
  if (first !== header || !isRead || (extra !== undefined && !proof.extra)) return undefined;
  return proof as LogProof;
}
