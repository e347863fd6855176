import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import * as yauzl from "yauzl";
import { limits, tooLarge } from "#lib/page-files/file-types.ts";
import { fold } from "#lib/text.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { bulkLimits } from "../../contract/bulk-options.ts";
import { HttpError, invalid } from "../../http/errors.ts";
import { namesOf } from "./entry-names.ts";

/** ZIP archives of page files. Names and sizes in them are what a stranger wrote. */

/** The bytes of an archive, and of all its files unpacked. */
export const maxArchiveBytes = mebibytesInBytes(500);
const maxUnpackedBytes = mebibytesInBytes(4000);
/** Entries that are read, folders and what systems add among them. */
const maxEntries = 2 * bulkLimits.archiveFiles;
/** Pages are compressed already: text that is a hundred times smaller is none. */
const maxRatio = 200;
const ratioFromBytes = mebibytesInBytes(1);
/** Of what each row's notes and problems name. */
const maxPathLength = 1000;

export type Archive = {
  /** How many page files it has. */
  files: number;
  paths: string[];
  /** A file by its path, or by its name if only one has it; a sentence if there is none to read. */
  find(name: string): ArchiveFile | { refused: string };
  /** Its content, whose length was checked. */
  open(file: ArchiveFile): Promise<Readable>;
  close(): void;
};

type ArchiveFile = { path: string; bytes: number; entry: yauzl.Entry };

/** Opens an archive and reads all its names. Throws 422 for one that is refused. */
export async function openArchive(path: string): Promise<Archive> {
  if ((await stat(path)).size > maxArchiveBytes) throw archiveTooLarge();
  const zip = await open(path);
  try {
    return await read(zip);
  } catch (error) {
    zip.close();
    throw error instanceof HttpError ? error : refused(unsafeName(error) ?? unreadable);
  }
}

export const archiveTooLarge = () => {
  const refusal = "This ZIP is larger than 500 MB: divide it and the table";
  return new HttpError(413, refusal, { errors: { archive: [refusal] } });
};

const unreadable = "This is not a ZIP, or it is damaged: make it again";
const refused = (message: string) => invalid({ archive: message });

/** The library refuses names that lead out of the folder in which they are unpacked. */
function unsafeName(error: unknown) {
  const { message } = error as Error;
  const isName = /^(absolute path|invalid relative path|invalid characters in fileName)/.test(message);
  return isName ? "A name in the ZIP leads out of it: make it again, from the folder of the files" : undefined;
}

const open = (path: string) =>
  new Promise<yauzl.ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: true };
    yauzl.open(path, options, (error, zip) => (error ? reject(refused(unreadable)) : resolve(zip)));
  });

async function read(zip: yauzl.ZipFile): Promise<Archive> {
  if (zip.entryCount > maxEntries) throw refused(tooManyFiles);
  const byPath = new Map<string, ArchiveFile>();
  const guessed = new Map<string, ArchiveFile[]>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    if (isIgnored(entry.fileName)) continue;
    unpacked += entry.uncompressedSize;
    const [path, ...others] = namesOf(entry) as [string];
    if (path.length > maxPathLength) throw refused("A name in the ZIP is longer than 1,000 characters: shorten it");
    requireReadable(entry, path, unpacked);
    const key = fold(path);
    if (byPath.has(key)) throw refused(`“${path}” is in the ZIP twice: make it again`);
    const file = { path, bytes: entry.uncompressedSize, entry };
    byPath.set(key, file);
    for (const other of others) addTo(guessed, other, file);
    if (byPath.size > bulkLimits.archiveFiles) throw refused(tooManyFiles);
  }
  if (byPath.size === 0) throw refused("There is no file in the ZIP");
  return {
    files: byPath.size,
    paths: [...byPath.values()].map(({ path }) => path),
    find: finder(byPath, guessed),
    open: ({ entry }) => zip.openReadStreamPromise(entry),
    close: () => zip.close(),
  };
}

const tooManyFiles = `The ZIP has more than ${bulkLimits.archiveFiles.toLocaleString("en-GB")} files: divide it and the table`;

/** Folders, and what systems add. */
const isIgnored = (name: string) => /\/$|^__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name);

function requireReadable(entry: yauzl.Entry, fileName: string, unpacked: number) {
  const { uncompressedSize, compressedSize } = entry;
  if (entry.isEncrypted()) throw refused(`“${fileName}” has a password: make the ZIP without one`);
  if (!entry.canDecodeFileData()) throw refused(`“${fileName}” is compressed in an unusual way: make the ZIP again`);
  const isBomb = uncompressedSize > ratioFromBytes && uncompressedSize > maxRatio * Math.max(1, compressedSize);
  if (isBomb) throw refused(`“${fileName}” is far larger unpacked than in the ZIP: leave it out`);
  if (uncompressedSize > limits.fileBytes) throw refused(`“${fileName}” ${tooLarge}`);
  if (unpacked > maxUnpackedBytes) throw refused("The ZIP is larger than 4 GB unpacked: divide it and the table");
}

const nameIn = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Notes a file by its whole path and by its name. */
function addTo(files: Map<string, ArchiveFile[]>, path: string, file: ArchiveFile) {
  for (const key of new Set([fold(path), fold(nameIn(path))])) {
    const same = files.get(key) ?? [];
    if (!same.includes(file)) files.set(key, [...same, file]);
  }
}

/** Finds files by their paths, else by their names, else by what these are in other encodings. */
function finder(byPath: Map<string, ArchiveFile>, guessed: Map<string, ArchiveFile[]>): Archive["find"] {
  const byName = new Map<string, ArchiveFile[]>();
  for (const file of byPath.values()) addTo(byName, nameIn(file.path), file);
  return (name) => {
    const key = fold(
      name
        .trim()
        .normalize("NFC")
        .replaceAll("\\", "/")
        .replace(/^\.?\//, ""),
    );
    const file = byPath.get(key);
    if (file) return file;
    const named = byName.get(key) ?? guessed.get(key) ?? [];
    if (named.length === 1) return named[0]!;
    return {
      refused: named.length > 1 ? "is in several folders of the ZIP: give the folder too" : "is not in the ZIP",
    };
  };
}
