import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";

/** Data Matrix codes (ISO/IEC 16022): smaller than QR codes of the same text, for scanners of goods. */

/** How many characters fit in a square code, and its side in modules. */
const rooms = "3 5 8 12 18 22 30 36 44 62 86 114 144 174 204 280 368 456 576".split(" ").map(Number);
const sides = "10 12 14 16 18 20 22 24 26 32 36 40 44 48 52 64 72 80 88".split(" ").map(Number);

/** The side of a text's code in modules, or more: two digits take the room of one character. */
export function dataMatrixSide(text: string): number {
  const characters = text.replaceAll(/\d\d/g, "0").length;
  return sides[rooms.findIndex((room) => room >= characters)] ?? 96;
}

let isReady = false;

/** The code of a text as rows of dark modules. */
export async function dataMatrix(text: string) {
  if (!isReady) {
    const file = createRequire(import.meta.url).resolve("zxing-wasm/writer/zxing_writer.wasm");
    // Otherwise it would be fetched from the internet.
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(file)).buffer } });
    isReady = true;
  }
  const { symbol, error } = await writeBarcode(text, { format: "DataMatrix", options: "forceSquare" });
  if (error) throw new Error(error);
  const { data, width } = symbol;
  return { size: width, dark: (row: number, column: number) => data[row * width + column] === 0 };
}
