import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash } from "node:crypto";
import { join } from "node:path";
import { expect, suite, test } from "vitest";
import { openCheckpoint, signCheckpoint } from "./checkpoints.ts";
import { noteSigner } from "../../tests/fixtures/logs.ts";
import { noteKey, openNote, readNoteKey, signatureLine } from "./notes.ts";

/** The key and the note of the documentation of golang.org/x/mod/sumdb/note. */
const goKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const goNote = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

/** With Debian's golang-golang-x-mod-dev. */
const go = ["GO111MODULE=off", "GOPATH=/usr/share/gocode", "go"];
const withoutGo = spawnSync("env", [...go, "list", "golang.org/x/mod/sumdb/note"]).status !== 0;

const now = new Date("2026-11-29T12:00:00Z");

suite("a note", () => {
  const log = noteSigner("log.example/1", "log");
  const witness = noteSigner("witness.example/w1", "witness");
  const checkpoint = { origin: "log.example/1", size: 5, root: hash("sha256", "root", "buffer") };
  const note = signCheckpoint(checkpoint, log, now);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const both = note + signatureLine(text, witness, now);

  test("of Go's documentation is opened by the key there", () => {
    const key = readNoteKey(goKey)!;
    expect(key).toMatchObject({ name: "PeterNeumann", kind: "log", text: goKey });
    expect(openNote(goNote, [key])!.text).toMatch(/^If you think .*\n.* is\.\n$/);
  });

  test("by Go's private key has the signature that Go makes", () => {
    const seed = Buffer.from("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz", "base64").subarray(1);
    const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
    const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    const key = noteKey("PeterNeumann", "log", createPublicKey(privateKey));
    expect(key.text).toBe(goKey);
    const [words] = goNote.split("\n\n");
    expect(`${words}\n\n${signatureLine(`${words}\n`, { key, privateKey }, now)}`).toBe(goNote);
  });

  test("says by whom it is signed, and when it was cosigned", () => {
    const keys = [log.key, witness.key].map(({ text: exchanged }) => readNoteKey(exchanged)!);
    expect(openCheckpoint(both, keys)).toMatchObject({
      ...checkpoint,
      signatures: [
        { key: keys[0], at: undefined },
        { key: keys[1], at: now },
      ],
    });
    expect(both.endsWith(openNote(both, keys)!.signatures[1]!.line)).toBe(true);
  });

  test("ignores signatures by unknown keys, also of the same name", () => {
    const other = noteSigner("log.example/1", "log");
    expect(openNote(note + signatureLine(text, other, now), [log.key])!.signatures).toHaveLength(1);
    expect(openNote(note, [other.key, witness.key])).toBeUndefined();
  });

  test("with a cosignature alone is no checkpoint of the log", () => {
    const cosigned = `${text}\n${signatureLine(text, witness, now)}`;
    expect(openNote(cosigned, [log.key, witness.key])!.signatures).toHaveLength(1);
    expect(openCheckpoint(cosigned, [log.key, witness.key])).toBeUndefined();
  });

  test("is refused with any character changed, left out or added", () => {
    const keys = [log.key, witness.key];
    const end = both.lastIndexOf("\n\n");
    for (let at = 0; at < both.length; at++) {
      const altered = [both.slice(0, at) + both.slice(at + 1), `${both.slice(0, at)}A${both.slice(at)}`];
      altered.push(`${both.slice(0, at)}${both[at] === "B" ? "C" : "B"}${both.slice(at + 1)}`);
      for (const each of altered) {
        // A changed name or id makes it another's signature, which is ignored.
        const opened = openCheckpoint(each, keys);
        if (at <= end) expect([at, opened]).toEqual([at, undefined]);
        else if (opened) expect([at, opened.text, opened.signatures.length < 2]).toEqual([at, text, true]);
      }
    }
  });

  test.skipIf(withoutGo)("has for Go’s sumdb the signatures that it has here, altered or not", () => {
    // Go forgives other bits behind the last byte of a base64.
    const places = Array.from(both, (_, at) => at).filter((at) => both[at + 1] !== "=");
    const altered = places.map((at) => `${both.slice(0, at)}${both[at] === "B" ? "C" : "B"}${both.slice(at + 1)}`);
    const notes = [both, note, ...altered];
    const input = notes.map((each) => Buffer.from(each).toString("base64")).join("\n");
    const program = join(import.meta.dirname, "../../tests/fixtures/open-notes.go");
    const output = execFileSync("env", [...go, "run", program, log.key.text, witness.key.text], { input });
    const counts = notes.map((each) => openNote(each, [log.key, witness.key])?.signatures.length ?? 0);
    expect(counts.slice(0, 2)).toEqual([2, 1]);
    expect(output.toString().trim().split("\n").map(Number)).toEqual(counts);
  });

  test.each([
    ["without an end of line", both.slice(0, -1)],
    ["with a control character", `\u0007${both}`],
    ["that is no Unicode", `\uD800${both}`],
    ["with a base64 that decoders forgive", both.replace(/=*\n$/, "=\n")],
    ["of more characters than any has", `${"a".repeat(100_000)}${both}`],
    ["with more signatures than any has", note + signatureLine(text, witness, now).repeat(100)],
  ])("%s is refused", (_, altered) => {
    expect(openNote(altered, [log.key, witness.key])).toBeUndefined();
  });

  test.each(["005", "-5", "5.0", "1e3", "99999999999999999", "", " 5"])(
    "with the size “%s” is no checkpoint",
    (size) => {
      const words = `log.example/1\n${size}\n${checkpoint.root.toString("base64")}\n`;
      const signed = `${words}\n${signatureLine(words, log, now)}`;
      expect(openNote(signed, [log.key])).toBeDefined();
      expect(openCheckpoint(signed, [log.key])).toBeUndefined();
    },
  );
});

suite("a key", () => {
  const { text } = noteSigner("log.example/1", "log").key;

  test.each([
    ["without a name", text.slice(text.indexOf("+"))],
    ["with a space in its name", text.replace("log", "l og")],
    ["with the id of another", text.replace(/\+[0-9a-f]{8}\+/, "+00000000+")],
    ["that is too short", text.slice(0, -4)],
    ["of another kind", text.replace(/\+A/, "+C")],
  ])("%s is refused", (_, altered) => {
    expect(readNoteKey(altered)).toBeUndefined();
  });

  test("of another algorithm is refused", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(() => noteKey("log.example/1", "log", publicKey)).toThrow(RangeError);
  });
});
