import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Received } from "#intake/form-body.ts";
import type { Inspected, Rejection } from "#page-files/kinds.ts";
import type { PageJobs } from "#page-files/page-files.ts";
import type { Requester } from "#page-files/requesters.ts";
import type { Services } from "../services.ts";
import { type Archive, openArchive } from "./archive.ts";
import type { StoredBulkIssue } from "./find.ts";
import { openTemplateContent } from "./template-content.ts";
import { cellOf, columnOfField, type Problem, type RowPlan } from "./rows.ts";

/** What is wrong with a row's pages. */
export type Wrong = { problems: Problem[] };

/** Where the pages of a bulk issue's documents come from. */
export type Content = {
  /** Gets the pages of some rows ready together, where that is quicker; the other calls are right without. */
  prepare?(requester: Requester, rows: string[][]): Promise<void>;
  /** The pages of a row's document, or what is wrong with them. Throws as `PageFiles.work` does. */
  check(requester: Requester, cells: string[]): Promise<{ pages: number } | Wrong>;
  /** Stores the page file of a row below a folder. */
  store(requester: Requester, cells: string[], folder: string): Promise<Received | Wrong>;
  /** Calls `use` with the local path of a row's page file. */
  withPageFile<T>(
    requester: Requester,
    cells: string[],
    use: (file: { path: string; jobs: PageJobs; inspected: Inspected }) => Promise<T>,
  ): Promise<T | Wrong>;
  close(): void;
};

export type ContentOf = RowPlan & { issue: StoredBulkIssue };

/** Opens what the documents of a bulk issue are made of; undefined where it is not there. */
export async function openContent(services: Services, of: ContentOf): Promise<Content | undefined> {
  if (of.issue.content === "template") return openTemplateContent(services, of);
  const opened = await openStored(services, of.issue);
  return opened && archiveContent(services, of, opened);
}

type Opened = { archive: Archive; release(): void };

/** Its archive, which is kept on this machine until it is released. */
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
    const found = archive.find(name);
    return "refused" in found ? wrong(problemOf(name, found)) : found;
  }

  const problemOf = (name: string, { refused }: Rejection): Problem => ({ column, message: `“${name}” ${refused}` });

  const withPageFile: Content["withPageFile"] = async (requester, cells, use) => {
    const found = find(cells);
    if ("problems" in found) return found;
    const [path, image] = await Promise.all([files.workPath(randomUUID()), files.workPath(randomUUID())]);
    try {
      await unpack(archive, found, path);
      return await pageFiles.work(requester, async (jobs) => {
        const result = await jobs.inspect({ path, image });
        if ("refused" in result) return wrong(problemOf(found.path, result));
        return use({ path, jobs, inspected: result });
      });
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      return wrong(problemOf(found.path, { refused: "is damaged in the ZIP" }));
    } finally {
      await Promise.all([path, image].map((one) => rm(one, { force: true })));
    }
  };

  return {
    withPageFile,
    async check(requester, cells) {
      const found = find(cells);
      if ("problems" in found) return found;
      const known = inspected.get(found.path);
      if (known) return "refused" in known ? wrong(problemOf(found.path, known)) : { pages: known.pages };
      const result = await withPageFile(requester, cells, async (file) => file.inspected);
      if ("problems" in result) return result;
      inspected.set(found.path, result);
      return { pages: result.pages };
    },
    async store(_, cells, folder) {
      const found = find(cells);
      if ("problems" in found) return found;
      const key = `${folder}/1`;
      const name = found.path.slice(found.path.lastIndexOf("/") + 1).slice(-200);
      await files.ensureSpace(found.bytes);
      const content = await archive.open(found);
      try {
        const stored = await files.put(key, content);
        return { ...stored, key, name, truncated: false };
      } catch (error) {
        if (!isDamage(error)) throw error;
        return wrong(problemOf(found.path, { refused: "is damaged in the ZIP" }));
      }
    },
    close: release,
  };
}

const wrong = (problem: Problem): Wrong => ({ problems: [problem] });

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
