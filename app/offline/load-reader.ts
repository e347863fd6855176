import { say } from "#messages/staff.ts";
/** The program that reads codes is neither saved nor to be had. */
export class ReaderMissing extends Error {
  override message = say("check.loadReader.missing");
}

/** Loads what reads codes from pictures, with the first scan: it is larger than the page. */
export async function loadReader() {
  try {
    const { prepare, readCode } = await import("./reader.ts");
    await prepare();
    return readCode;
  } catch {
    throw new ReaderMissing();
  }
}
