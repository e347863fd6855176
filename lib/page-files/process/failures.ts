import { Readable } from "node:stream";
import type { Files } from "../../storage/files/files.ts";
import dependencies from "../../../package.json" with { type: "json" };
import { type FailureReason, failureReasons, PageWorkFailed } from "../refusals.ts";

/** Failed work on page files, recorded in the store so that no process repeats it before a library or Sealdesk changes. */

const { version, dependencies: packages } = dependencies;
const programs = [version, packages.sharp, packages["@hyzyla/pdfium"], packages["@cantoo/pdf-lib"]].join("-");

export class Failures {
  private readonly files: Files;
  private readonly folder: string;
  private readonly max: number;

  /** After `max` failures below a prefix, everything there counts as failed. */
  constructor(files: Files, prefix: string, max = 1) {
    this.files = files;
    this.folder = `${prefix}-failed-${programs}`;
    this.max = max;
  }

  async check(name: number) {
    const failed = (await Array.fromAsync(this.files.list(this.folder))).map(
      (entry) => entry.split("-") as [string, FailureReason],
    );
    const ofName = failed.find(([failedName]) => failedName === String(name));
    const [, reason] = ofName ?? (failed.length >= this.max ? failed[0]! : []);
    if (reason) throw new PageWorkFailed(failureReasons.includes(reason) ? reason : "unreadable");
  }

  /** Runs `work` and records a failure that is the file's fault. */
  async record<T>(name: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PageWorkFailed) {
        const note = this.files.put(`${this.folder}/${name}-${error.reason}`, Readable.from([error.message]));
        // Without a record, the work is tried again.
        await note.catch(() => {});
      }
      throw error;
    }
  }
}
