import { accessSync, constants, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { environment } from "#config";

const memoryDisk = "/dev/shm";
const gigabyte = 2 ** 30;

/**
 * Has this run's temporary folders made in memory where that has room: databases wait for the disk at every commit,
 * several times as long as for everything else. `TMPDIR` overrides it.
 */
export function useMemoryForTemporaryFiles() {
  if (environment.TMPDIR || freemem() < 4 * gigabyte) return;
  try {
    accessSync(memoryDisk, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDisk);
    if (bavail * bsize > 2 * gigabyte) environment.TMPDIR = memoryDisk;
  } catch {
    // There is none on this machine.
  }
}
