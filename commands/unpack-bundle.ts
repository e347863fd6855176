import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as yauzl from "yauzl";
import { mebibytesInBytes } from "#lib/units.ts";
import { CommandFailed } from "./command.ts";

/** Unpacks proof bundles within bounds, and compares their files with `SHA256SUMS`. */

export const maxEntries = 2000;
const maxBytes = mebibytesInBytes(8000);
/** Of a text, of which all is read, and of a PDF. */
export const maxTextBytes = mebibytesInBytes(32);
const maxPdfBytes = mebibytesInBytes(400);

export function need(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new CommandFailed(`Not proved: ${reason}`);
}

export async function unpack(path: string, folder: string): Promise<string[]> {
  const names = new Set<string>();
  const zip = await yauzl.openPromise(path, { lazyEntries: true, validateEntrySizes: true }).catch(() => undefined);
  need(zip, `${path} is no ZIP, or a damaged one`);
  try {
    need(zip.entryCount <= maxEntries, `it has more than ${maxEntries} files`);
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize } = entry;
      if (name.startsWith("verify/")) continue;
      need(!/[/\\\p{Cc}]/u.test(name), `${JSON.stringify(name)} is in a folder`);
      need(!names.has(name), `${name} is in it twice`);
      bytes += uncompressedSize;
      const most = name.endsWith(".pdf") ? maxPdfBytes : maxTextBytes;
      need(uncompressedSize <= most && bytes <= maxBytes, `${name} is too large`);
      names.add(name);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(join(folder, name), { flags: "wx" }));
    }
  } catch (error) {
    throw error instanceof CommandFailed ? error : new CommandFailed(`Not proved: ${path} is a damaged ZIP`);
  } finally {
    zip.close();
  }
  return [...names];
}

export async function checkSums(folder: string, names: string[]) {
  const text = await readFile(join(folder, "SHA256SUMS"), "utf8");
  const sums = new Map([...text.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, sum, name]) => [name!, sum!]));
  for (const name of sums.keys()) need(name.startsWith("verify/") || names.includes(name), `${name} is missing`);
  for (const name of names.filter((one) => one !== "SHA256SUMS")) {
    const sum = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), sum);
    need(sums.has(name), `${name} is not in SHA256SUMS`);
    need(sums.get(name) === sum.digest("hex"), `${name} was changed: it has another SHA-256 than SHA256SUMS says`);
  }
}
