import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Files } from "./files.ts";

/** Calls `use` with the path of a new work file, whose file is removed then. */
export async function withWorkFile<T>(files: Pick<Files, "workPath">, use: (path: string) => Promise<T>): Promise<T> {
  const path = await files.workPath(randomUUID());
  try {
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
