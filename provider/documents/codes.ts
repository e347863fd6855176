import { randomBytes, randomInt } from "node:crypto";
import { foldTyped } from "#lib/text.ts";

/** Crockford's base 32: without I, L, O and U, which are misread on paper. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code for a document's QR address: 80 random bits as 16 characters, and a check character. */
export function newCode(bytes: Buffer = randomBytes(10)): string {
  // Two times five bytes are two times eight characters.
  const body = [bytes.readUIntBE(0, 5), bytes.readUIntBE(5, 5)]
    .map((bits) => Array.from({ length: 8 }, (_, n) => alphabet[Math.floor(bits / 32 ** n) % 32]).join(""))
    .join("");
  return body + checkCharacter(body);
}

/** Luhn's algorithm modulo 32: detects every wrong character and nearly every exchanged pair. */
function checkCharacter(body: string) {
  let sum = 0;
  [...body].toReversed().forEach((character, n) => {
    const doubled = alphabet.indexOf(character) * (n % 2 === 0 ? 2 : 1);
    sum += Math.floor(doubled / 32) + (doubled % 32);
  });
  return alphabet[(32 - (sum % 32)) % 32]!;
}

/** The code that a user typed; undefined if its length, alphabet or check character is wrong. */
export function readCode(typed: string): string | undefined {
  const code = foldTyped(typed).toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (code.length !== 17 || [...code].some((character) => !alphabet.includes(character))) return undefined;
  return checkCharacter(code.slice(0, 16)) === code[16] ? code : undefined;
}

/** A code in groups of four, as printed: `4C7H-29KD-3P17-2XQ0-8`. */
export const groupedCode = (code: string) => code.match(/.{1,4}/g)!.join("-");

/** A random document number: `NM-` and six characters (`docs/specification.md` section 3). */
export const newNumber = () => `NM-${Array.from({ length: 6 }, () => alphabet[randomInt(32)]).join("")}`;
