import { Readable } from "node:stream";
import type { Files } from "#storage/files.ts";
import dependencies from "../package.json" with { type: "json" };
import { type FailureReason, failureReasons, PageWorkFailed } from "./refusals.ts";

/**
 * Failures to make something of page files, remembered beside what could not be made: it is not tried again, by whichever
 * process, until another version of what opens files may do better.
 */

const { version, dependencies: packages } = dependencies;
const programs = [version, packages.sharp, packages["@hyzyla/pdfium"], packages["@cantoo/pdf-lib"]].join("-");

/** The failures of one thing, or of the pages of one file, below `prefix`. */
export class Failures {
  private readonly files: Files;
  private readonly folder: string;
  private readonly most: number;

  /** After `most` failures below a prefix, everything there counts as failed. */
  constructor(files: Files, prefix: string, most = 1) {
    this.files = files;
    this.folder = `${prefix}-failed-${programs}`;
    this.most = most;
  }

  /** Throws the failure that is remembered of `name`, if there is one. */
  async check(name: number) {
    const failed = (await this.files.list(this.folder)).map((entry) => entry.split("-") as [string, FailureReason]);
    const own = failed.find(([failedName]) => failedName === String(name));
    const [, reason] = own ?? (failed.length >= this.most ? failed[0]! : []);
    if (reason) throw new PageWorkFailed(failureReasons.includes(reason) ? reason : "unreadable");
  }

  /** Does `work`, and remembers its failure where the file is at fault. */
  async watch<T>(name: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PageWorkFailed) {
        const note = this.files.put(`${this.folder}/${name}-${error.reason}`, Readable.from([error.message]));
        // Where it can't be stored, it is found out again.
        await note.catch(() => {});
      }
      throw error;
    }
  }
}
