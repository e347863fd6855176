import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { coverNotes } from "#lib/page-files/notes/covered.ts";
import type { Inspected, Rejection } from "#lib/page-files/file-types.ts";
import { noteSentences } from "#lib/page-files/notes/notes.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { placingParts } from "../../contract/document-options.ts";
import type { Services } from "../../services.ts";
import { type Archive, openArchive } from "./archive.ts";
import { type Content, type ContentOf, listed, type Wrong } from "./content.ts";
import type { StoredBulkIssue } from "../bulk-issue-queries.ts";
import { cellOf, columnOfField, type Problem } from "../rows.ts";

/** Page files of a ZIP, which a column of the table names. */

type Opened = { archive: Archive; release(): void };

/** Opens the ZIP of a bulk issue; undefined if it is gone. */
export async function openArchiveContent(services: Services, of: ContentOf): Promise<Content | undefined> {
  const opened = await openStored(services, of.issue);
  return opened && archiveContent(services, of, opened);
}

/** Opens the stored ZIP; its local file may be gone after `release`. */
async function openStored({ files }: Services, { archive_key }: StoredBulkIssue): Promise<Opened | undefined> {
  if (!archive_key || !(await files.exists(archive_key))) return undefined;
  return new Promise((resolve, reject) => {
    files
      .withLocalPaths([archive_key], async ([path]) => {
        const archive = await openArchive(path!);
        await new Promise<void>((release) => resolve({ archive, release }));
        archive.close();
      })
      .catch(reject);
  });
}

function archiveContent(services: Services, of: ContentOf, { archive, release }: Opened): Content {
  const { files, pageFiles } = services;
  const column = columnOfField(of, "file");
  /** By path: several rows may name one file. */
  const inspected = new Map<string, Inspected | Rejection>();

  function find(cells: string[]) {
    const name = cellOf(of, cells, "file");
    if (column === "") return wrong({ column, message: "Say which column names the page file in the ZIP" });
    if (name === "") return wrong({ column, message: "Enter the name of the page file in the ZIP" });
    const file = archive.find(name);
    return "refused" in file ? wrong(problemOf(name, file)) : file;
  }

  const problemOf = (name: string, { refused }: Rejection): Problem => ({ column, message: `“${name}” ${refused}` });

  const withPageFile: Content["withPageFile"] = async (requester, cells, use) => {
    const entry = find(cells);
    if ("problems" in entry) return entry;
    return withWorkFile(files, (path) =>
      withWorkFile(files, async (image) => {
        await unpack(archive, entry, path);
        return pageFiles.work(requester, async (jobs) => {
          const result = await jobs.inspect({ path, image });
          if ("refused" in result) return wrong(problemOf(entry.path, result));
          return use({ path, jobs, inspected: result });
        });
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof Damaged)) throw error;
      return wrong(problemOf(entry.path, { refused: "is damaged in the ZIP" }));
    });
  };

  return {
    withPageFile,
    async check(requester, cells) {
      const entry = find(cells);
      if ("problems" in entry) return entry;
      const earlier = inspected.get(entry.path);
      if (earlier)
        return "refused" in earlier ? wrong(problemOf(entry.path, earlier)) : checked(of, entry.path, earlier);
      const result = await withPageFile(requester, cells, async (file) => file.inspected);
      if ("problems" in result) return result;
      inspected.set(entry.path, result);
      return checked(of, entry.path, result);
    },
    async overall(_, rows) {
      const unused = new Set(archive.paths);
      for await (const cells of rows) {
        const entry = find(cells);
        if ("path" in entry) unused.delete(entry.path);
      }
      if (unused.size === 0) return [];
      const names = listed([...unused]);
      return [
        unused.size === 1
          ? `No row names this file of the ZIP: ${names}`
          : `No row names these ${unused.size} files of the ZIP: ${names}`,
      ];
    },
    async store(_, cells, folder) {
      const entry = find(cells);
      if ("problems" in entry) return entry;
      const key = `${folder}/1`;
      const name = entry.path.slice(entry.path.lastIndexOf("/") + 1).slice(-200);
      await files.ensureSpace(entry.bytes);
      const content = await archive.open(entry);
      try {
        const stored = await files.put(key, content);
        return { ...stored, key, name, truncated: false };
      } catch (error) {
        if (!isDamage(error)) throw error;
        return wrong(problemOf(entry.path, { refused: "is damaged in the ZIP" }));
      }
    },
    close: release,
  };
}

const wrong = (problem: Problem): Wrong => ({ problems: [problem] });

const checked = ({ common }: ContentOf, path: string, file: Inspected) => ({
  pages: file.pages,
  notes: [...noteSentences(path, file.notes, true), ...coverNotes([file], placingParts(common.qr_placing))],
});

class Damaged extends Error {}

async function unpack(archive: Archive, file: Parameters<Archive["open"]>[0], path: string) {
  try {
    await pipeline(await archive.open(file), createWriteStream(path));
  } catch (error) {
    throw isDamage(error) ? new Damaged() : error;
  }
}

/** Errors of the library and of zlib, other than those of a disk. */
const isDamage = (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code?.startsWith("Z_") === true || (code === undefined && /bytes|header|compress|crc/i.test(message));
};
