import { createHash } from "node:crypto";

/** The Merkle tree of RFC 6962, section 2.1 (RFC 9162, section 2.1), over SHA-256. */

/** A complete subtree of 2^level leaves: the one that begins with leaf `index` × 2^level. */
export type Subtree = { level: number; index: number };
/** Returns the hashes of complete subtrees, in the same order. */
export type HashesAt = (subtrees: Subtree[]) => Promise<Buffer[]>;

export const hashBytes = 32;

const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)];
export const hashOfLeaf = (entry: Uint8Array) => sha256(leafPrefix, entry);
export const hashOfChildren = (left: Uint8Array, right: Uint8Array) => sha256(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyRoot = sha256();

/** The root of the first `size` leaves. */
export async function rootOf(size: number, hashesAt: HashesAt): Promise<Buffer> {
  if (size === 0) return emptyRoot;
  return (await hashesOfRanges([[0, size]], hashesAt))[0]!;
}

/** The proof that leaf `index` is in the tree of the first `size` leaves: hashes from the leaf to the root. */
export async function inclusionProof(index: number, size: number, hashesAt: HashesAt): Promise<Buffer[]> {
  if (!isCount(index) || !isCount(size) || index >= size) throw new RangeError(`no leaf ${index} of ${size}`);
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.unshift([middle, to]);
      to = middle;
    } else {
      ranges.unshift([from, middle]);
      from = middle;
    }
  }
  return hashesOfRanges(ranges, hashesAt);
}

/** The proof that the tree of the first `before` leaves is the beginning of that of the first `after`. */
export async function consistencyProof(before: number, after: number, hashesAt: HashesAt): Promise<Buffer[]> {
  if (!isCount(before) || !isCount(after) || before > after) throw new RangeError(`no ${before} of ${after} leaves`);
  if (before === 0 || before === after) return [];
  const ranges: Range[] = [];
  let [from, to] = [0, after];
  while (before !== to) {
    const middle = from + splitOf(to - from);
    if (before <= middle) {
      ranges.unshift([middle, to]);
      to = middle;
    } else {
      ranges.unshift([from, middle]);
      from = middle;
    }
  }
  // Whoever has the earlier root knows the hash of its leaves.
  if (from > 0) ranges.unshift([from, to]);
  return hashesOfRanges(ranges, hashesAt);
}

type Inclusion = { index: number; size: number; root: Uint8Array; leaf: Uint8Array; proof: Uint8Array[] };

/** Whether a leaf's hash is at `index` of the tree with this size and root. */
export function verifyInclusion({ index, size, root, leaf, proof }: Inclusion): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([root, leaf, ...proof])) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    const isRight = isOdd(at) || at === last;
    hash = isRight ? hashOfChildren(sibling, hash) : hashOfChildren(hash, sibling);
    if (isRight) [at, last] = skipLeftmost(at, last);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && areEqual(hash, root);
}

type Consistency = {
  before: number;
  beforeRoot: Uint8Array;
  after: number;
  afterRoot: Uint8Array;
  proof: Uint8Array[];
};

/** Whether the tree with the later root begins with all leaves of the one with the earlier root. */
export function verifyConsistency({ before, beforeRoot, after, afterRoot, proof }: Consistency): boolean {
  if (!isCount(before) || !isCount(after) || before > after) return false;
  if (!areHashes([beforeRoot, afterRoot, ...proof])) return false;
  if (before === after) return proof.length === 0 && areEqual(beforeRoot, afterRoot);
  if (before === 0) return proof.length === 0 && areEqual(beforeRoot, emptyRoot);
  const path = isPowerOfTwo(before) ? [beforeRoot, ...proof] : proof;
  let [at, last] = [before - 1, after - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  let [earlier, later] = [path[0], path[0]];
  if (!earlier || !later) return false;
  for (const sibling of path.slice(1)) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      earlier = hashOfChildren(sibling, earlier);
      later = hashOfChildren(sibling, later);
      [at, last] = skipLeftmost(at, last);
    } else later = hashOfChildren(later, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && areEqual(earlier, beforeRoot) && areEqual(later, afterRoot);
}

/** Leaves from the first number up to before the second. */
type Range = [from: number, to: number];

async function hashesOfRanges(ranges: Range[], hashesAt: HashesAt): Promise<Buffer[]> {
  const parts = ranges.map(subtreesOf);
  const hashes = await hashesAt(parts.flat());
  let next = 0;
  return parts.map(({ length }) => {
    const own = hashes.slice(next, (next += length));
    return own.reduceRight((right, left) => hashOfChildren(left, right));
  });
}

/** The complete subtrees that a range consists of, from the left; a range begins where its largest one may. */
function subtreesOf([from, to]: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to;) {
    const level = Math.floor(Math.log2(to - at));
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** The largest power of two below `leaves`. */
const splitOf = (leaves: number) => 2 ** Math.ceil(Math.log2(leaves) - 1);

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= maxSize;
/** Beyond, `Math.log2` would round to the next power of two. */
const maxSize = 2 ** 40;
// Bit operations would truncate to 32 bits.
const half = (value: number) => Math.floor(value / 2);
const isOdd = (value: number) => value % 2 === 1;
const isPowerOfTwo = (value: number) => Number.isInteger(Math.log2(value));

/** Up to where a node is a right child: nodes above it without a right sibling are the same node. */
function skipLeftmost(index: number, last: number): [number, number] {
  let [at, end] = [index, last];
  while (!isOdd(at) && at !== 0) [at, end] = [half(at), half(end)];
  return [at, end];
}

const areHashes = (hashes: Uint8Array[]) => hashes.every(({ length }) => length === hashBytes);
const areEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
