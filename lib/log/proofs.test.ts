import { expect, suite, test } from "vitest";
import { entriesOf, logOf, noteSigner } from "../../tests/fixtures/logs.ts";
import { openCheckpoint } from "./checkpoints.ts";
import { signatureLine } from "./notes.ts";
import { readProof, writeProof } from "./proofs.ts";
import { verifyInclusion } from "./tree.ts";

const signer = noteSigner("log.example/1", "log");
const witness = noteSigner("witness.example/w1", "witness");
const log = logOf(entriesOf(300), signer);

suite("a proof", () => {
  test("as a file is all that it takes to find an entry in the log", async () => {
    const note = await log.checkpoint();
    const text = note.slice(0, note.indexOf("\n\n") + 1);
    const checkpoint = note + signatureLine(text, witness, new Date());
    const file = writeProof({ extra: Buffer.from("salt"), index: 256, hashes: await log.inclusion(256), checkpoint });
    expect(file.split("\n").slice(0, 3)).toEqual(["c2sp.org/tlog-proof@v1", "extra c2FsdA==", "index 256"]);
    const proof = readProof(file)!;
    const { size, root } = openCheckpoint(proof.checkpoint, [signer.key, witness.key])!;
    expect(verifyInclusion({ index: proof.index, size, root, leaf: log.leaves[256]!, proof: proof.hashes })).toBe(true);
    expect(writeProof(proof)).toBe(file);
  });

  test("of a log with one entry has no hashes and needs no extra data", () => {
    const proof = { extra: undefined, index: 0, hashes: [], checkpoint: "log.example/1\n1\n" };
    expect(readProof(writeProof(proof))).toEqual(proof);
  });

  const file = writeProof({ extra: Buffer.of(1), index: 5, hashes: [Buffer.alloc(32)], checkpoint: "a\n" });
  test.each([
    ["of another version", file.replace("@v1", "@v2")],
    ["without an index", file.replace("index 5\n", "")],
    ["with an index in another form", file.replace("index 5", "index 05")],
    ["with extra data that is no base64", file.replace("extra AQ==", "extra AQ=")],
    ["with a hash that is cut off", file.replace("A=\n\n", "=\n\n")],
    ["with more hashes than a tree has levels", file.replace(/^(A{43}=\n)/m, "$1".repeat(64))],
    ["without a checkpoint", file.slice(0, -3)],
    ["that is empty", ""],
  ])("%s is refused", (_, altered) => {
    expect(altered).not.toBe(file);
    expect(readProof(altered)).toBeUndefined();
  });
});
