import { t } from "#lib/messages/staff.ts";

/** The program that reads codes is neither saved nor to be had. */
export class ReaderMissing extends Error {
  override message = t("check.loadReader.missing");
}

/** Nothing else can be checked meanwhile. */
const longestMs = 30_000;

/** Loads what reads codes from pictures, with the first scan: it is larger than the page. Throws `ReaderMissing`. */
export async function loadReader() {
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new ReaderMissing()), longestMs));
  return Promise.race([prepared(), timeout]);
}

async function prepared() {
  try {
    const { prepare, readCode } = await import("./reader.ts");
    await prepare();
    return readCode;
  } catch {
    throw new ReaderMissing();
  }
}
