import { createHash } from "node:crypto";
import { expect, suite, test } from "vitest";
import { goLog, withoutGoLog } from "../../tests/fixtures/go-log.ts";
import {
  consistencyProof,
  hashOfChildren,
  hashOfLeaf,
  type HashesAt,
  inclusionProof,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "./tree.ts";

const sizes = 3000;
const entries = Array.from({ length: sizes }, (_, n) => createHash("sha256").update(`entry ${n}`).digest());
/** The hashes of all complete subtrees, by level. */
const levels: Buffer[][] = [entries.map(hashOfLeaf)];
while (levels.at(-1)!.length > 1) {
  const row = levels.at(-1)!;
  const pairs = Math.floor(row.length / 2);
  levels.push(Array.from({ length: pairs }, (_, n) => hashOfChildren(row[2 * n]!, row[2 * n + 1]!)));
}
const hashesAt: HashesAt = async (subtrees) => subtrees.map(({ level, index }) => levels[level]![index]!);

/** The root as RFC 6962, section 2.1 defines it. */
function definedRoot(from: number, to: number): Buffer {
  if (to - from === 1) return hashOfLeaf(entries[from]!);
  let split = 1;
  while (split * 2 < to - from) split *= 2;
  return hashOfChildren(definedRoot(from, from + split), definedRoot(from + split, to));
}

/** The first thousand, and others up to the last. */
const cases = Array.from({ length: 1000 }, (_, n) => ({ index: (n * 7919) % (1 + n * 2), size: 1 + n * 2 })).map(
  ({ index, size }, n) => (n % 2 ? { index, size } : { index: (n * 31) % sizes, size: sizes - (n % 7 === 0 ? 1 : 0) }),
);

const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at % copy.length]! ^= 1 << (at % 8);
  return copy;
};

/** A proof with one thing altered: a bit of any hash, a hash left out, added or exchanged, another number. */
function altered<P extends { proof: Buffer[] }>(proof: P, at: number, more: ((proof: P) => P)[]): P {
  const hashes = proof.proof;
  const which = hashes.length === 0 ? 0 : at % hashes.length;
  const ways: ((proof: P) => P)[] = [
    (one) => ({ ...one, proof: hashes.map((hash, n) => (n === which ? flipped(hash, at) : hash)) }),
    (one) => ({ ...one, proof: hashes.filter((_, n) => n !== which) }),
    (one) => ({ ...one, proof: [...hashes, hashOfLeaf(Buffer.of(at % 256))] }),
    ...more,
  ];
  const usable = hashes.length === 0 ? ways.slice(2) : ways;
  return usable[at % usable.length]!(proof);
}

const inText = (value: object) =>
  JSON.stringify(value, (_, part) => (part?.type === "Buffer" ? Buffer.from(part.data).toString("base64") : part));
const saysGo = (lines: object[]) => goLog([], lines.map(inText).join("\n")).trim().split("\n");

suite("a tree", () => {
  test("of any size has the root that RFC 6962 defines", async () => {
    for (let size = 1; size < 300; size++) expect(await rootOf(size, hashesAt)).toEqual(definedRoot(0, size));
    expect((await rootOf(0, hashesAt)).toString("hex")).toMatch(/^e3b0c442/);
  });

  const inclusions = () =>
    Promise.all(
      cases.map(async ({ index, size }) => {
        const [root, proof] = [await rootOf(size, hashesAt), await inclusionProof(index, size, hashesAt)];
        return { kind: "inclusion", index, size, root, entry: entries[index]!, leaf: levels[0]![index]!, proof };
      }),
    );
  const consistencies = () =>
    Promise.all(
      cases.map(async ({ index, size }) => {
        const before = index + 1;
        const [beforeRoot, root] = [await rootOf(before, hashesAt), await rootOf(size, hashesAt)];
        return {
          kind: "consistency",
          before,
          beforeRoot,
          size,
          root,
          proof: await consistencyProof(before, size, hashesAt),
        };
      }),
    );
  const isConsistent = ({ size, root, ...proof }: Awaited<ReturnType<typeof consistencies>>[number]) =>
    verifyConsistency({ ...proof, after: size, afterRoot: root });

  test("proves a thousand leaves, and none by any of ten thousand altered proofs", async ({ skip }) => {
    const proofs = await inclusions();
    expect(proofs.filter(verifyInclusion)).toHaveLength(1000);
    const ways: ((one: (typeof proofs)[number]) => (typeof proofs)[number])[] = [
      (one) => ({ ...one, leaf: flipped(one.leaf, 3), entry: flipped(one.entry, 3) }),
      (one) => ({ ...one, root: flipped(one.root, 5) }),
      (one) => ({ ...one, index: one.index + 1 }),
    ];
    const wrong = Array.from({ length: 10_000 }, (_, n) => altered(proofs[n % 1000]!, n, ways));
    expect(wrong.filter(verifyInclusion)).toEqual([]);
    if (withoutGoLog) return skip("Go and its golang.org/x/mod are not installed");
    expect(saysGo(proofs).filter((word) => word === "yes")).toHaveLength(1000);
    expect(saysGo(wrong).filter((word) => word === "no")).toHaveLength(10_000);
  });

  test("proves a thousand earlier trees, and none by any of ten thousand altered proofs", async ({ skip }) => {
    const proofs = await consistencies();
    expect(proofs.filter(isConsistent)).toHaveLength(1000);
    const ways: ((one: (typeof proofs)[number]) => (typeof proofs)[number])[] = [
      (one) => ({ ...one, beforeRoot: flipped(one.beforeRoot, 3) }),
      (one) => ({ ...one, root: flipped(one.root, 5) }),
    ];
    const wrong = Array.from({ length: 10_000 }, (_, n) => altered(proofs[n % 1000]!, n, ways));
    expect(wrong.filter(isConsistent)).toEqual([]);
    if (withoutGoLog) return skip("Go and its golang.org/x/mod are not installed");
    expect(saysGo(proofs).filter((word) => word === "yes")).toHaveLength(1000);
    expect(saysGo(wrong).filter((word) => word === "no")).toHaveLength(10_000);
  });

  test("proves nothing for sizes and numbers that no tree has", async () => {
    const [proof] = await inclusions();
    for (const index of [-1, 0.5, NaN, Infinity, 2 ** 60]) expect(verifyInclusion({ ...proof!, index })).toBe(false);
    for (const size of [-1, 0, 2 ** 60]) expect(verifyInclusion({ ...proof!, size })).toBe(false);
    await expect(inclusionProof(3, 3, hashesAt)).rejects.toThrow(RangeError);
    await expect(consistencyProof(4, 3, hashesAt)).rejects.toThrow(RangeError);
  });
});
