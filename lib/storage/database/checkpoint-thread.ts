import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";

const everyMs = 250;

const sqlite = new Sqlite(workerData as string);

setInterval(() => {
  try {
    sqlite.pragma("wal_checkpoint(passive)");
  } catch {
    // A disk that is full or broken is the process's to tell; the next turn tries again.
  }
}, everyMs);
