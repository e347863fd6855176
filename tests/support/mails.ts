import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The messages that a server wrote to its outbox folder instead of sending them, the oldest first, unfolded. */
export function mailsIn(data: string): string[] {
  const folder = join(data, "outbox");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).toSorted();
  return files.map((file) => unfold(readFileSync(join(folder, file), "utf8")));
}

/** A message's source with the lines of its head and its quoted-printable body put together, so that links are whole. */
export function unfold(mail: string): string {
  const [, head = "", body = ""] = /^(.*?\r?\n\r?\n)(.*)$/s.exec(mail) ?? [];
  return head.replace(/\r?\n[ \t]+/g, " ") + body.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
}
