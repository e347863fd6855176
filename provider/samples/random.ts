/** Pseudo-random numbers between 0 and 1, the same for the same seed (Lehmer generator). */
export function seededRandom(seed: number): () => number {
  let state = (seed * 48_271 + 7) % 2_147_483_647 || 7;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
