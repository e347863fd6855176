import { randomBytes, randomInt } from "node:crypto";

/** Crockford's base 32: no I, L, O and U, so that nothing is misread from paper. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The code that a document's QR address ends in: 80 random bits and a check character, 17 characters in all. */
export function newCode(bytes: Buffer = randomBytes(10)): string {
  // Two times five bytes are two times eight characters.
  const body = [bytes.readUIntBE(0, 5), bytes.readUIntBE(5, 5)]
    .map((bits) => Array.from({ length: 8 }, (_, n) => alphabet[Math.floor(bits / 32 ** n) % 32]).join(""))
    .join("");
  return body + checkCharacter(body);
}

/** Luhn's algorithm for 32 characters: finds every single wrong character and nearly every exchanged pair. */
function checkCharacter(body: string) {
  let sum = 0;
  [...body].toReversed().forEach((character, n) => {
    const doubled = alphabet.indexOf(character) * (n % 2 === 0 ? 2 : 1);
    sum += Math.floor(doubled / 32) + (doubled % 32);
  });
  return alphabet[(32 - (sum % 32)) % 32]!;
}

/** A code as it was typed from paper, or undefined where its check character tells that it is mistyped. */
export function readCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (code.length !== 17 || [...code].some((character) => !alphabet.includes(character))) return undefined;
  return checkCharacter(code.slice(0, 16)) === code[16] ? code : undefined;
}

/** A code in groups of four, as it is printed: `4C7H-29KD-3P17-2XQ0-8`. */
export const groupedCode = (code: string) => code.match(/.{1,4}/g)!.join("-");

/** A document number to propose: `NM-` and six characters (`docs/specification.md` section 3). Not yet known to be free. */
export const newNumber = () => `NM-${Array.from({ length: 6 }, () => alphabet[randomInt(32)]).join("")}`;
