/** Numbers between 0 and 1 for made-up data, the same ones for the same start. */
export function seededRandom(start: number): () => number {
  let state = (start * 48_271 + 7) % 2_147_483_647 || 7;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
