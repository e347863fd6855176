import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Files } from "./files.ts";

/** Calls `use` with a path for a file in the work folder, and removes that file afterwards, even if `use` fails. */
export async function withWorkFile<T>(files: Pick<Files, "workPath">, use: (path: string) => Promise<T>): Promise<T> {
  const path = await files.workPath(randomUUID());
  try {
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
