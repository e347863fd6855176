const works = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * What `read` returns, or if that is nothing, what `make` does. Only one of a key works at a time in this process: who had to
 * wait reads what was made, so that many at once cost no more than one. Rejects as both do.
 */
export async function readOrMake<T>(
  { owner, key }: { owner: object; key: string },
  { read, make }: { read: () => Promise<T | undefined>; make: () => Promise<T> },
): Promise<T> {
  const stored = await read();
  if (stored !== undefined) return stored;
  const running = works.get(owner) ?? new Map<string, Promise<unknown>>();
  works.set(owner, running);
  const work = (running.get(key) ?? Promise.resolve()).catch(() => {}).then(async () => (await read()) ?? make());
  running.set(key, work);
  return work.finally(() => {
    if (running.get(key) === work) running.delete(key);
  });
}
