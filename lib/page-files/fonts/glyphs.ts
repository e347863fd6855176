import plain from "./hanken-grotesk-regular.json" with { type: "json" };

/** Which characters of Windows-1252 the fonts have. */

/** The byte of each character. */
export const windows1252 = new Map(
  Array.from({ length: 224 }, (_, n) => n + 32).map((byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);
const withoutMark: Record<string, string> = { Ł: "L", ł: "l", Đ: "D", đ: "d", ı: "i", Ħ: "H", ħ: "h" };

/** The bytes of a character, or of it without its accents; undefined if the fonts have no likeness. */
export function glyphsOf(character: string): number[] | undefined {
  const byte = byteOf(character);
  if (byte !== undefined) return [byte];
  const base = withoutMark[character] ?? character.normalize("NFD").replace(/\p{M}/gu, "");
  const bytes = [...base].map(byteOf);
  return bytes.every((one) => one !== undefined) && bytes.length > 0 ? bytes : undefined;
}

const byteOf = (character: string) => {
  const byte = windows1252.get(character);
  return byte !== undefined && (byte === 32 || plain.widths[byte - 32]! > 0) ? byte : undefined;
};
