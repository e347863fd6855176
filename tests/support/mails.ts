import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The messages that a server wrote to its outbox folder instead of sending them, the oldest first, unfolded. */
export function mailsIn(data: string): string[] {
  const folder = join(data, "outbox");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).toSorted();
  return files.map((file) => unfold(readFileSync(join(folder, file), "utf8")));
}

/** A message's source with its quoted-printable lines put together, so that links are whole. */
export const unfold = (mail: string) => mail.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
