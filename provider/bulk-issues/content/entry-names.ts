import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import type { Entry } from "yauzl";

/** Names in ZIP archives whose programs do not say in which encoding they are. */

/** Encodings that programs use, the specification's first. */
const codePages = "cp437 cp850 cp852 cp866 windows-1252 windows-1250 windows-1251 windows-1254".split(" ");

const unicodePath = 0x7075;
const utf8Flag = 0x800;

/** All names that an entry may have, the one that is shown first. */
export function namesOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string[] {
  const isSaid = (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePath);
  if (isSaid || fileNameRaw.every((byte) => byte < 0x80)) return [fileName];
  const pages = codePages.map((page) => iconv.decode(fileNameRaw, page));
  const all = isUtf8(fileNameRaw) ? [fileNameRaw.toString("utf8"), ...pages] : pages;
  return [...new Set(all.map((name) => name.replaceAll("\\", "/")))];
}
