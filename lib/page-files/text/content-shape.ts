import type { Operation } from "./content-tokens.ts";

/** How many operands the operators of a page's content have (ISO 32000-2, annex A). */

const byCount = (groups: Record<number, string>) =>
  new Map(Object.entries(groups).flatMap(([count, group]) => group.split(" ").map((one) => [one, Number(count)])));

const ofNumbers = byCount({
  0: "q Q h S s F f f* B B* b b* n W W* BT ET T*",
  1: "w J j M i Tc Tw Tz TL Tr Ts G g",
  2: "m l Td TD d0",
  3: "RG rg",
  4: "v y re K k",
  6: "cm c Tm d1",
});
const ofOthers = byCount({ 1: "Tj TJ ' CS cs Do sh gs", 2: "d Tf", 3: '"' });

/** Whether programs read an operation in the same way: one with other operands is left out by some, and guessed by others. */
export function isWellFormed({ operator, operands }: Operation): boolean {
  const numbers = ofNumbers.get(operator);
  if (numbers === undefined) return operands.length === (ofOthers.get(operator) ?? operands.length);
  return operands.length === numbers && operands.every((operand) => typeof operand === "number");
}
