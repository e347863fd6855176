const works = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Does the work of one key after the other in this process, so that who had to wait can look first whether it is done already.
 * Rejects as the work does.
 */
export function inTurn<T>({ owner, key }: { owner: object; key: string }, work: () => Promise<T>): Promise<T> {
  const running = works.get(owner) ?? new Map<string, Promise<unknown>>();
  works.set(owner, running);
  const turn = (running.get(key) ?? Promise.resolve()).catch(() => {}).then(work);
  running.set(key, turn);
  return turn.finally(() => {
    if (running.get(key) === turn) running.delete(key);
  });
}
