import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { environment } from "#lib/config.ts";

const memoryDisk = "/dev/shm";
const gigabyte = 2 ** 30;

/**
 * Has this run's temporary folders made in memory if that has room: databases wait for the disk at every commit,
 * several times as long as for everything else. `TMPDIR` overrides it. The folder is removed when the process ends.
 */
export function useMemoryForTemporaryFiles() {
  if (environment.TMPDIR || !hasRoom()) return;
  removeLeftovers();
  const folder = join(memoryDisk, `sealdesk-tests-${process.pid}`);
  // PostgreSQL, if it runs as another user, has to come through.
  mkdirSync(folder, { mode: 0o711 });
  environment.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom() {
  try {
    accessSync(memoryDisk, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDisk);
    return bavail * bsize > 2 * gigabyte && freemem() > 4 * gigabyte;
  } catch {
    return false;
  }
}

/** Removes what runs left that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(memoryDisk)) {
    const pid = Number(/^sealdesk-tests-(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(memoryDisk, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
