import { emptyRoot, hashOfChildren } from "./tree.ts";

/** The root of leaves that come one after another, of which a hash of each complete subtree is kept. */
export function growingTree() {
  const subtrees: { leaves: number; hash: Buffer }[] = [];
  let size = 0;
  return {
    size: () => size,
    add(leaf: Buffer) {
      let last = { leaves: 1, hash: leaf };
      while (subtrees.at(-1)?.leaves === last.leaves) {
        const left = subtrees.pop()!;
        last = { leaves: left.leaves * 2, hash: hashOfChildren(left.hash, last.hash) };
      }
      subtrees.push(last);
      size++;
    },
    root: (): Buffer =>
      subtrees.length === 0
        ? emptyRoot
        : subtrees.map(({ hash }) => hash).reduceRight((right, left) => hashOfChildren(left, right)),
  };
}
